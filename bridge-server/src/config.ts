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
  queueFrames: countRow('Most frames that wait in all', 1_000_000),
  queueBytes: countRow('Most bytes of frames that wait in all', 512 * MIB),
  topicSockets: countRow('Most sockets subscribed to a topic', 2000),
  socketTopics: countRow('Most topics of a socket', 10_000),
  subscribedTopics: countRow('Most topics with subscribers', 1_000_000),
  unconfirmed: countRow('Most frames sent to a socket whose arrival is not known yet', 1024),
}

export type BridgeConfig = Config<typeof bridgeRows>
