/** The bridge's settings. A limit's name is also the label under which its refusals are counted. */
import { fitCommon, type Machine } from '@heliograph/shared/server/limits/machine'
import { commonRows, countRow, fittedRow, MOST, socketRows, topicRows } from '@heliograph/shared/server/limits/rows'
import type { Config } from '@heliograph/shared/server/process/config'
import type { Service } from '@heliograph/shared/server/transport/service'

/** The bridge's name, protocol version, and prefix of its environment variables. */
export const bridge: Service = { name: 'Heliograph Bridge', version: '1.0', prefix: 'BRIDGE' }

const MIB = 1024 * 1024

const MAX_FRAMES = 1_000_000
const MAX_BYTES = 512 * MIB

export const bridgeRows = {
  ...commonRows({ port: 8081, dataDir: '.data/bridge' }),
  ...socketRows,
  /** The default is three times the ping interval, PING_EVERY. */
  idleSeconds: { ...socketRows.idleSeconds, default: 30 },
  frameSeconds: countRow('Seconds for which an unconfirmed frame is kept', 24 * 60 * 60),
  topicFrames: countRow('Maximum queued frames per topic', 10_000),
  topicBytes: countRow('Maximum bytes of queued frames per topic', 32 * MIB),
  storeFrames: fittedRow('Maximum queued frames on all topics', MAX_FRAMES),
  storeBytes: fittedRow('Maximum bytes of queued frames on all topics', MAX_BYTES, 'disk'),
  ...topicRows,
  unconfirmed: countRow('Maximum unconfirmed frames sent to a client', 1024),
}

export type BridgeConfig = Config<typeof bridgeRows>

/**
 * Sets limits without a value so that they fit the machine. Computes the share of each limit that one holder may use.
 */
export const fitBridge = (config: BridgeConfig, machine: Machine) => {
  const { limits, storeMessages, topicMessages, bounds, shares } = fitCommon(config, machine, {
    storeMessages: config.storeFrames,
    topicMessages: config.topicFrames,
    watches: MOST.watches,
    most: { messages: MAX_FRAMES, bytes: MAX_BYTES },
  })
  return {
    limits: { ...limits, storeFrames: storeMessages, topicFrames: topicMessages, durability: 'process' as const },
    bounds,
    shares,
  }
}
