/** The bridge's settings. Rows that bound something give their name to what is counted as dropped because of them. */
import type { Config } from '@heliograph/shared/server/config'
import { boundsOf, fitCommon, fitted, type Machine, MOST, shareLimitsOf } from '@heliograph/shared/server/machine'
import { commonRows, countRow, fittedRow, socketRows } from '@heliograph/shared/server/rows'

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
  topicClients: countRow('Most clients of a topic', 2000),
  clientTopics: countRow('Most topics of a client', 10_000),
  subscriptions: fittedRow('Most topics of all clients together', MOST.subscriptions),
  unconfirmed: countRow('Most frames sent to a client of which it is not known yet that they have arrived', 1024),
}

export type BridgeConfig = Config<typeof bridgeRows>

/** The settings with every bound in numbers, as the machine allows, and the share that each holder has of them. */
export const fitBridge = (config: BridgeConfig, machine: Machine) => {
  const allowed = boundsOf(machine)
  const common = fitCommon(config, allowed)
  const subscriptions = fitted(config.subscriptions, allowed.subscriptions, MOST.subscriptions)
  const storeFrames = fitted(config.storeFrames, allowed.messages, MOST_FRAMES)
  const storeBytes = fitted(config.storeBytes, allowed.storeBytes, MOST_BYTES)
  const bounds = {
    connections: common.connections,
    subscriptions,
    messages: storeFrames,
    bytes: storeBytes,
    unsent: common.unsentTotal,
    webhooks: common.webhookTopics,
    calls: common.webhookCalls,
    watches: MOST.watches,
  }
  const shares = shareLimitsOf(bounds, config)
  const limits = {
    ...config,
    ...common,
    subscriptions,
    storeFrames,
    storeBytes,
    topicFrames: Math.min(config.topicFrames, shares.messages),
    topicBytes: Math.min(config.topicBytes, shares.bytes),
    topicClients: Math.min(config.topicClients, shares.subscriptions),
    clientTopics: Math.min(config.clientTopics, shares.subscriptions),
  }
  return { limits, bounds, shares }
}
