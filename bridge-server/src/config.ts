/** The bridge's settings. Rows that bound something give their name to what is counted as dropped because of them. */
import type { Config } from '@heliograph/shared/server/config'
import { fitCommon, type Machine, MOST } from '@heliograph/shared/server/machine'
import { commonRows, countRow, fittedRow, socketRows, topicRows } from '@heliograph/shared/server/rows'

const MIB = 1024 * 1024

const MOST_FRAMES = 1_000_000
const MOST_BYTES = 512 * MIB

export const bridgeRows = {
  ...commonRows({ port: 8081, dataDir: '.data/bridge' }),
  ...socketRows,
  /** Three of the bridge's own pings. */
  idleSeconds: { ...socketRows.idleSeconds, default: 30 },
  frameSeconds: countRow('Seconds that a frame waits for a subscriber', 24 * 60 * 60),
  topicFrames: countRow('Most frames that wait on a topic', 10_000),
  topicBytes: countRow('Most bytes of frames that wait on a topic', 32 * MIB),
  storeFrames: fittedRow('Most frames that wait on all topics', MOST_FRAMES),
  storeBytes: fittedRow('Most bytes of frames that wait on all topics', MOST_BYTES, 'disk'),
  ...topicRows,
  unconfirmed: countRow('Most frames sent to a client of which it is not known yet that they have arrived', 1024),
}

export type BridgeConfig = Config<typeof bridgeRows>

/** The settings with every bound in numbers, as the machine allows, and the share that each holder has of them. */
export const fitBridge = (config: BridgeConfig, machine: Machine) => {
  const { limits, storeMessages, topicMessages, bounds, shares } = fitCommon(config, machine, {
    storeMessages: config.storeFrames,
    topicMessages: config.topicFrames,
    watches: MOST.watches,
    most: { messages: MOST_FRAMES, bytes: MOST_BYTES },
  })
  return {
    limits: { ...limits, storeFrames: storeMessages, topicFrames: topicMessages, durability: 'process' as const },
    bounds,
    shares,
  }
}
