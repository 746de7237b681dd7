/** Configuration rows shared by both servers. */

import { type Config, ConfigError, integer, listOf, oneOf, type Row, text } from '../process/config.ts'
import { type LogLevel, logLevels } from '../process/log.ts'
import { parseRedisUrl } from '../redis/address.ts'
import type { AddressRange } from './addresses.ts'
import { parseRange } from './addresses.ts'

const MAX_PORT = 65_535
const MAX_COUNT = 1_000_000_000
const MAX_BYTES = 1024 ** 4
const MIB = 1024 * 1024
/** Smallest allowed limit of a request head in bytes. Ordinary clients stay below it. */
const MIN_HEAD = 1024
/** Maximum value of the setting header-bytes, in bytes. */
export const MAX_HEAD = 16 * 1024
/**
 * Bounds of the idle timeout in seconds. A shorter timeout leaves no time for a pong;
 * clients time out before a longer one.
 */
const MIN_IDLE = 8
const MAX_IDLE = 40
const MAX_STOP = 60
/** Maximum number of replicas, which is more than a primary has in practice. */
const MAX_REPLICAS = 10

/** Upper bounds of the derived limits. */
export const MOST = {
  connections: 16_000,
  subscriptions: 2_000_000,
  unsentTotal: 1024 * MIB,
  webhookTopics: 100_000,
  webhookBytes: 256 * MIB,
  webhookCalls: 100_000,
  watches: 100_000,
} as const

const VISIBLE_ASCII = /^[\x21-\x7e]+$/

/** Parses a token that fits in an HTTP header without encoding. */
const token = (value: string): string => {
  if (!VISIBLE_ASCII.test(value)) throw new ConfigError('must be visible ASCII characters without spaces')
  return value
}

export const row = <T>(description: string, value: T, parse: (text: string) => T): Row<T> => ({
  description,
  default: value,
  parse,
})

/** A row for a positive integer. */
export const countRow = (description: string, value: number): Row<number> =>
  row(description, value, integer(1, MAX_COUNT))

/** A row for a positive integer whose default depends on the machine's memory or disk, up to `max`. */
export const fittedRow = (description: string, max: number, source: 'memory' | 'disk' = 'memory') => ({
  ...row<number | undefined>(description, undefined, integer(1, MAX_BYTES)),
  defaultText: `depends on the ${source}, at most ${max}`,
})

export const commonRows = ({ port, dataDir }: { port: number; dataDir: string }) => ({
  port: row('TCP port to listen on. 0 picks a free port', port, integer(0, MAX_PORT)),
  host: row('Address to listen on. 0.0.0.0 listens on all interfaces', '127.0.0.1', text),
  tlsCert: row('PEM file with the TLS certificate chain. Reloaded when it or the key changes, and on SIGHUP', '', text),
  tlsKey: row('PEM file with the private key, without a passphrase', '', text),
  proxies: row<readonly AddressRange[]>(
    'Networks of trusted reverse proxies, whose X-Forwarded-For header names the client: 10.0.0.0/8,192.168.1.7',
    [],
    listOf(parseRange),
  ),
  connections: fittedRow('Maximum concurrent connections', MOST.connections),
  sharePercent: row(
    'Percentage of each limit that one address, client or topic may use. An address is an IPv4 address or an IPv6 /64',
    1,
    integer(1, 100),
  ),
  shareConnections: countRow(
    'Connections that one address or client may always hold, even if its share is smaller',
    100,
  ),
  shareSubscriptions: countRow(
    'Subscriptions that one address or client may always hold, even if its share is smaller',
    1000,
  ),
  shareMessages: countRow(
    'Stored messages that one address, client or topic may always have, even if its share is smaller',
    1000,
  ),
  shareBytes: countRow(
    'Bytes of stored messages that one address, client or topic may always have, even if its share is smaller',
    16 * MIB,
  ),
  shareUnsentBytes: countRow(
    'Unsent bytes that one address or client may always have, even if its share is smaller',
    8 * MIB,
  ),
  shareWebhooks: countRow('Webhooks that one address may always register, even if its share is smaller', 100),
  shareCalls: countRow(
    'Queued webhook calls that one registrant or target may always have, even if its share is smaller',
    100,
  ),
  shareWatches: countRow('Watches that one address may always register, even if its share is smaller', 100),
  exemptAddresses: row<readonly AddressRange[]>(
    'Networks whose clients are exempt from shares and address-rate, such as an office behind one address or your own services: 192.0.2.0/24,10.0.0.7',
    [],
    listOf(parseRange),
  ),
  addressRate: countRow(
    'Tokens per second for all clients of one address. Messages cost the same as for message-rate, a connection 5, an HTTP request 10, a WebSocket 50',
    2000,
  ),
  addressBurst: countRow(
    'Tokens that one address may spend at once. At twice as many, its connections are closed. Lower values shorten the first burst of a flood',
    20_000,
  ),
  unsentTotal: fittedRow('Maximum unsent bytes of all clients together', MOST.unsentTotal),
  headerBytes: row('Maximum bytes of a request head', 8 * 1024, integer(MIN_HEAD, MAX_HEAD)),
  bodyBytes: countRow('Maximum bytes of a request body', 64 * 1024),
  stopSeconds: row('Maximum seconds for a graceful shutdown', 10, integer(1, MAX_STOP)),
  dataDir: row('Data directory. Do not share it between processes', dataDir, text),
  redisUrl: {
    ...row<readonly string[]>(
      'Redis servers to store in, separated by commas: redis://user:password@host:6379, or rediss://… for TLS. Several are candidates for the primary, or nodes of one cluster. If empty, the data directory is used',
      [],
      listOf(parseRedisUrl),
    ),
    isSecret: true,
  },
  redisReplicas: row(
    'Number of Redis replicas that must have a message before it is acknowledged. 0 waits for none',
    0,
    integer(0, MAX_REPLICAS),
  ),
  statusToken: {
    ...row<string | undefined>(
      'Token for the metrics and the status page, sent as "Authorization: Bearer <token>". Without one, both are public',
      undefined,
      token,
    ),
    isSecret: true,
  },
  logLevel: row<LogLevel>(`Lowest log level to write: ${logLevels.join(', ')}`, 'info', oneOf(...logLevels)),
  webhookAllow: row<readonly AddressRange[]>(
    'Non-public networks that webhooks may target, also over http: 10.0.0.0/8,192.168.1.7',
    [],
    listOf(parseRange),
  ),
  webhookSeconds: countRow('Timeout of a webhook call in seconds', 10),
  webhookToken: {
    ...row<string | undefined>(
      'Token for registering webhooks, sent as "Authorization: Bearer <token>". Without one, webhook-registration applies',
      undefined,
      token,
    ),
    isSecret: true,
  },
  webhookRegistration: row<'loopback' | 'open'>(
    'Who may register webhooks if there is no webhook-token. loopback: clients on this machine. open: anyone',
    'loopback',
    oneOf('loopback', 'open'),
  ),
  webhookDays: countRow('Days until a webhook registration expires unless it is renewed', 30),
  topicWebhooks: countRow('Maximum webhooks per topic', 10),
  webhookTopics: fittedRow('Maximum topics with webhooks', MOST.webhookTopics),
  webhookCalls: fittedRow('Maximum queued webhook calls', MOST.webhookCalls),
  targetCalls: countRow('Maximum queued webhook calls per host. Further calls are dropped and counted', 10_000),
  webhookBytes: fittedRow('Maximum bytes of registered webhooks, and of queued webhook calls', MOST.webhookBytes),
})

export type CommonConfig = Config<ReturnType<typeof commonRows>>

/**
 * Rows for WebSocket limits. These limits count each connection as a client, because anyone can generate any number of
 * keys.
 */
export const socketRows = {
  frameBytes: countRow('Maximum bytes of a WebSocket message. A client that sends more is disconnected', 1024 * 1024),
  messageRate: countRow(
    'Tokens per second and client. A request, each topic or message in it, and each 4096 bytes cost one token. Acknowledgements are free',
    10_000,
  ),
  messageBurst: countRow(
    'Tokens that a client may spend at once. It is disconnected once its refused requests have cost as many tokens again',
    100_000,
  ),
  idleSeconds: row(
    'Seconds without data after which a connection is closed. Pings keep live connections open',
    MAX_IDLE,
    integer(MIN_IDLE, MAX_IDLE),
  ),
  stallSeconds: countRow('Seconds after which a client with a full send buffer is disconnected unless it reads', 20),
  unsentBytes: countRow('Unsent bytes at which a client that does not read is disconnected', 4 * 1024 * 1024),
}

export type SocketLimits = Config<typeof socketRows>

/** Rows for subscription limits. */
export const topicRows = {
  topicClients: countRow('Maximum clients per topic', 2000),
  clientTopics: countRow('Maximum topics per client', 10_000),
  subscriptions: fittedRow('Maximum subscriptions of all clients together', MOST.subscriptions),
}

export type TopicConfig = Config<typeof topicRows>
