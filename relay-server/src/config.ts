/** The relay's settings. Rows that bound something give their name to the error of whoever goes beyond. */
import { type Config, integer, listOf, text } from '@heliograph/shared/server/config'
import { commonRows, countRow, row } from '@heliograph/shared/server/rows'
import { MAX_TTL, MIN_TTL } from '@heliograph/shared/wire/relay-methods'

/** The shortest silence after which a ping still has time for an answer, and the longest that clients bear. */
const MIN_IDLE = 8
const MAX_IDLE = 40

export const relayRows = {
  ...commonRows({ port: 8080, dataDir: '.data/relay' }),
  publicUrls: row<readonly string[]>(
    'URLs under which clients reach this relay, between commas: tokens made for another are refused; none takes any',
    [],
    listOf(text),
  ),
  messageBytes: countRow('Most bytes of a message', 256 * 1024),
  frameBytes: countRow('Most bytes of a frame; a client that sends more is disconnected', 1024 * 1024),
  maxTtl: row('Most seconds that a message may wait', MAX_TTL, integer(MIN_TTL, MAX_TTL)),
  topicMessages: countRow('Most messages that wait on a topic', 5000),
  topicBytes: countRow('Most bytes of messages that wait on a topic', 32 * 1024 * 1024),
  topicClients: countRow('Most clients of a topic', 2000),
  clientTopics: countRow('Most topics of a client', 10_000),
  unacknowledged: countRow('Most messages pushed to a subscription that it has not acknowledged', 256),
  redeliverySeconds: countRow('Seconds without an acknowledgement after which a message is pushed again', 8),
  idleSeconds: row(
    'Seconds of silence after which a connection is given up; it is pinged in time to prevent that',
    MAX_IDLE,
    integer(MIN_IDLE, MAX_IDLE),
  ),
}

export type RelayConfig = Config<typeof relayRows>
