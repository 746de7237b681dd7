/** The relay's settings. An error about a limit names the limit's setting. */
import { fitCommon, type Machine } from '@heliograph/shared/server/limits/machine'
import {
  commonRows,
  countRow,
  fittedRow,
  MOST,
  row,
  socketRows,
  topicRows,
} from '@heliograph/shared/server/limits/rows'
import { type Config, integer, listOf, oneOf, text } from '@heliograph/shared/server/process/config'
import type { Service } from '@heliograph/shared/server/transport/service'
import { MAX_TTL, MIN_TTL } from '@heliograph/shared/wire/relay-methods'
import { origin, publicUrl } from './site-urls.ts'

/** The relay's name, protocol version, and prefix of its environment variables. */
export const relay: Service = { name: 'Heliograph Relay', version: '2.0', prefix: 'RELAY' }

const MAX_MESSAGES = 5_000_000
const MAX_BYTES = 16 * 1024 ** 3

export const relayRows = {
  ...commonRows({ port: 8080, dataDir: '.data/relay' }),
  ...socketRows,
  publicUrls: row<readonly string[]>(
    'URLs of this relay for clients, separated by commas: wss://relay.example.org. Tokens with another audience are refused. Empty accepts any audience',
    [],
    listOf(publicUrl),
  ),
  auth: row<'optional' | 'required'>(
    'Whether clients must authenticate: optional, or required, which refuses clients without a token',
    'optional',
    oneOf('optional', 'required'),
  ),
  projectIds: row<readonly string[]>(
    'Project ids that may connect, separated by commas. Empty accepts clients with any project id or none',
    [],
    listOf(text),
  ),
  origins: row<readonly string[]>(
    'Origins of web pages that may connect, separated by commas: https://app.example. Empty accepts all. Clients other than browsers are not checked',
    [],
    listOf(origin),
  ),
  durability: row<'process' | 'disk'>(
    'Durability of accepted messages. process: survives a crash of the relay at once and a power failure about a second later. disk: survives a power failure at once, but responses and deliveries wait for fsync',
    'process',
    oneOf('process', 'disk'),
  ),
  messageBytes: countRow('Maximum bytes of a message', 256 * 1024),
  batchItems: countRow('Maximum requests in one frame', 100),
  frameDepth: countRow('Maximum nesting depth of a frame', 64),
  maxTtl: row('Maximum time to live of a message in seconds', MAX_TTL, integer(MIN_TTL, MAX_TTL)),
  topicMessages: countRow('Maximum stored messages per topic', 5000),
  topicBytes: countRow('Maximum bytes of stored messages per topic', 32 * 1024 * 1024),
  ...topicRows,
  storeMessages: fittedRow('Maximum stored messages on all topics', MAX_MESSAGES),
  storeBytes: fittedRow('Maximum bytes of stored messages on all topics', MAX_BYTES, 'disk'),
  subscriptionDays: countRow('Days without activity on a topic after which a client is unsubscribed from it', 60),
  unusedHours: countRow(
    'Hours without activity after which a client is unsubscribed from a topic that has never had a message for it',
    24,
  ),
  clientWatches: countRow('Maximum watches per client', 64),
  watches: countRow('Maximum watches of all clients', MOST.watches),
  unacknowledged: countRow('Maximum unacknowledged messages pushed to a subscription', 256),
  redeliverySeconds: countRow('Seconds without an acknowledgement after which a message is pushed again', 8),
}

export type RelayConfig = Config<typeof relayRows>

/**
 * Sets limits without a value so that they fit the machine. Computes the share of each limit that one holder may use.
 */
export const fitRelay = (config: RelayConfig, machine: Machine) => {
  const most = { messages: MAX_MESSAGES, bytes: MAX_BYTES }
  const { limits, storeMessages, topicMessages, bounds, shares } = fitCommon(config, machine, { ...config, most })
  return { limits: { ...limits, storeMessages, topicMessages }, bounds, shares }
}
