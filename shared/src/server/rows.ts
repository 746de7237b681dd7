/** The settings every server has. */
import type { AddressRange } from './addresses.ts'
import { type Config, ConfigError, integer, listOf, oneOf, type Row, text } from './config.ts'
import { type LogLevel, logLevels } from './log.ts'
import { MOST } from './machine.ts'
import { parseRange } from './public-fetch.ts'
import { MAX_HEAD } from './uws.ts'

const MAX_PORT = 65_535
const MAX_COUNT = 1_000_000_000
const MAX_BYTES = 1024 ** 4
const MIB = 1024 * 1024
/** A head that ordinary clients send, in bytes. */
const MIN_HEAD = 1024
/** The shortest silence, in seconds, after which a ping still has time for an answer, and the longest that clients bear. */
const MIN_IDLE = 8
const MAX_IDLE = 40
const MAX_STOP = 60

const VISIBLE_ASCII = /^[\x21-\x7e]+$/

/** Text that a header can carry as it is. */
const token = (value: string): string => {
  if (!VISIBLE_ASCII.test(value)) throw new ConfigError('must be visible ASCII characters without spaces')
  return value
}

export const row = <T>(description: string, value: T, parse: (text: string) => T): Row<T> => ({
  description,
  default: value,
  parse,
})

/** A whole number above zero. */
export const countRow = (description: string, value: number): Row<number> =>
  row(description, value, integer(1, MAX_COUNT))

/** A bound that follows from the machine unless it is set: a whole number above zero, `most` at most. */
export const fittedRow = (description: string, most: number, source: 'memory' | 'disk' = 'memory') => ({
  ...row<number | undefined>(description, undefined, integer(1, MAX_BYTES)),
  defaultText: `what the ${source} allows, ${most} at most`,
})

export const commonRows = ({ port, dataDir }: { port: number; dataDir: string }) => ({
  port: row('TCP port to listen on; 0 takes any free one', port, integer(0, MAX_PORT)),
  host: row('Address to listen on; 0.0.0.0 for all of this machine', '127.0.0.1', text),
  tlsCert: row('PEM file of the certificate, and of those it depends on, for https; read once, at the start', '', text),
  tlsKey: row('PEM file of its private key, without a passphrase', '', text),
  proxies: row<readonly AddressRange[]>(
    'Proxies in front, as networks: whom they name in X-Forwarded-For is the client: 10.0.0.0/8,192.168.1.7',
    [],
    listOf(parseRange),
  ),
  connections: fittedRow('Most connections at once', MOST.connections),
  sharePercent: row(
    'Percentage of each bound for all that one address, client or topic may hold; an address is an IPv4 address or a /64 of IPv6',
    1,
    integer(1, 100),
  ),
  shareConnections: countRow('Connections that one address or client may hold even where its share is less', 100),
  shareSubscriptions: countRow('Topics that one address or client may hold even where its share is less', 1000),
  shareMessages: countRow('Waiting messages that one holder may have even where its share is less', 1000),
  shareBytes: countRow('Bytes of waiting messages that one holder may have even where its share is less', 16 * MIB),
  shareUnsentBytes: countRow('Unread bytes that one address or client may have even where its share is less', 8 * MIB),
  shareWebhooks: countRow('Webhooks that one address may register even where its share is less', 100),
  shareCalls: countRow('Waiting calls that one registrant or target may have even where its share is less', 100),
  shareWatches: countRow('Watches that one address may register even where its share is less', 100),
  exemptAddresses: row<readonly AddressRange[]>(
    'Networks whose clients have no shares: an office behind one address, your own back ends: 192.0.2.0/24,10.0.0.7',
    [],
    listOf(parseRange),
  ),
  addressRate: countRow(
    'Tokens a second of all clients of one address, which cost the same, and an HTTP request 10, a WebSocket 20',
    2000,
  ),
  addressBurst: countRow('Tokens that one address may spend at once; beyond twice as many it is disconnected', 20_000),
  unsentTotal: fittedRow('Unread bytes of all clients together', MOST.unsentTotal),
  headerBytes: row('Most bytes of the head of a request', 8 * 1024, integer(MIN_HEAD, MAX_HEAD)),
  bodyBytes: countRow('Most bytes of the body of a request', 64 * 1024),
  stopSeconds: row('Most seconds to finish what is under way when asked to stop', 10, integer(1, MAX_STOP)),
  dataDir: row('Folder for all that must survive a restart; for one process alone', dataDir, text),
  statusToken: {
    ...row<string | undefined>(
      'Token that the metrics and the status page take, as "Authorization: Bearer <token>"; none lets anyone see them',
      undefined,
      token,
    ),
    isSecret: true,
  },
  logLevel: row<LogLevel>(`Least severe log lines to write: ${logLevels.join(', ')}`, 'info', oneOf(...logLevels)),
  webhookAllow: row<readonly AddressRange[]>(
    'Networks besides the public ones that webhooks may be in, then also over http: 10.0.0.0/8,192.168.1.7',
    [],
    listOf(parseRange),
  ),
  webhookSeconds: countRow('Seconds a webhook may take to answer', 10),
  webhookToken: {
    ...row<string | undefined>(
      'Token that registering a webhook takes, as "Authorization: Bearer <token>"; without one, webhook-registration says who may',
      undefined,
      token,
    ),
    isSecret: true,
  },
  webhookRegistration: row<'loopback' | 'open'>(
    'Who may register a webhook without a token: loopback, clients on this machine; open, anyone',
    'loopback',
    oneOf('loopback', 'open'),
  ),
  webhookDays: countRow('Days after which a webhook that is not registered again ends', 30),
  topicWebhooks: countRow('Most webhooks of a topic', 10),
  webhookTopics: fittedRow('Most topics with webhooks', MOST.webhookTopics),
  webhookCalls: fittedRow('Most calls to webhooks that wait', MOST.webhookCalls),
  targetCalls: countRow('Most calls that wait for one host; what comes beyond is dropped, and counted', 10_000),
  webhookBytes: fittedRow('Most bytes of webhooks, and most bytes of calls that wait', MOST.webhookBytes),
})

export type CommonConfig = Config<ReturnType<typeof commonRows>>

/** The settings of a server with WebSockets. A client is a connection here: a key of its own costs nobody anything. */
export const socketRows = {
  frameBytes: countRow('Most bytes of a frame; a client that sends more is disconnected', 1024 * 1024),
  messageRate: countRow(
    'Tokens a second of a client: a request, each topic or message that it lists or fetches, and each 4096 bytes cost one; acknowledgements cost none',
    10_000,
  ),
  messageBurst: countRow(
    'Tokens that a client may spend at once; one that spends as many again in vain is disconnected',
    100_000,
  ),
  idleSeconds: row(
    'Seconds of silence after which a connection is given up; it is pinged in time to prevent that',
    MAX_IDLE,
    integer(MIN_IDLE, MAX_IDLE),
  ),
  stallSeconds: countRow('Seconds without reading after which a client that has much to read is disconnected', 20),
  unsentBytes: countRow(
    'Unread bytes at which a client that does not read its answers is disconnected',
    4 * 1024 * 1024,
  ),
}

export type SocketLimits = Config<typeof socketRows>

/** The settings of a server whose clients subscribe to topics. */
export const topicRows = {
  topicClients: countRow('Most clients of a topic', 2000),
  clientTopics: countRow('Most topics of a client', 10_000),
  subscriptions: fittedRow('Most topics of all clients together', MOST.subscriptions),
}

export type TopicConfig = Config<typeof topicRows>
