/** The bridge's settings. Rows that bound something give their name to what is counted as dropped because of them. */
import type { Config } from '@heliograph/shared/server/config'
import { commonRows, countRow, socketRows } from '@heliograph/shared/server/rows'

const MIB = 1024 * 1024

export const bridgeRows = {
  ...commonRows({ port: 8081, dataDir: '.data/bridge' }),
  ...socketRows,
  /** Three of the bridge's own pings. */
  idleSeconds: { ...socketRows.idleSeconds, default: 30 },
  frameSeconds: countRow('Seconds that a frame waits for a subscriber', 24 * 60 * 60),
  topicFrames: countRow('Most frames that wait on a topic', 10_000),
  topicBytes: countRow('Most bytes of frames that wait on a topic', 32 * MIB),
  storeFrames: countRow('Most frames that wait on all topics; each takes about 400 bytes of memory', 1_000_000),
  storeBytes: countRow('Most bytes of frames that wait on all topics', 512 * MIB),
  topicClients: countRow('Most clients of a topic', 2000),
  clientTopics: countRow('Most topics of a client', 10_000),
  subscriptions: countRow('Most topics of all clients together; each takes about 400 bytes of memory', 2_000_000),
  unconfirmed: countRow('Most frames sent to a client of which it is not known yet that they have arrived', 1024),
}

export type BridgeConfig = Config<typeof bridgeRows>
