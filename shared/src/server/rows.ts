/** The settings every server has. */
import { type Config, ConfigError, integer, listOf, oneOf, type Row, text } from './config.ts'
import { type LogLevel, logLevels } from './log.ts'
import { type AddressRange, parseRange } from './public-fetch.ts'

const MAX_PORT = 65_535
const MAX_COUNT = 1_000_000_000

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

export const commonRows = ({ port, dataDir }: { port: number; dataDir: string }) => ({
  port: row('TCP port to listen on; 0 takes any free one', port, integer(0, MAX_PORT)),
  host: row('Address to listen on; 0.0.0.0 for all of this machine', '127.0.0.1', text),
  dataDir: row('Folder for all that must survive a restart; for one process alone', dataDir, text),
  logLevel: row<LogLevel>(`Least severe log lines to write: ${logLevels.join(', ')}`, 'info', oneOf(...logLevels)),
  webhookAllow: row<readonly AddressRange[]>(
    'Networks besides the public ones that webhooks may be in, then also over http: 10.0.0.0/8,192.168.1.7',
    [],
    listOf(parseRange),
  ),
  webhookSeconds: countRow('Seconds a webhook may take to answer', 10),
  webhookToken: {
    ...row<string | undefined>(
      'Token that registering a webhook takes, as "Authorization: Bearer <token>"; none lets any register',
      undefined,
      token,
    ),
    isSecret: true,
  },
  topicWebhooks: countRow('Most webhooks of a topic', 10),
  webhookTopics: countRow('Most topics with webhooks', 100_000),
  webhookCalls: countRow('Most calls to webhooks that wait', 100_000),
  targetCalls: countRow('Most calls that wait for one host; what comes beyond is dropped, and counted', 10_000),
  webhookBytes: countRow('Most bytes of webhooks, and most bytes of calls that wait', 256 * 1024 * 1024),
})

export type CommonConfig = Config<ReturnType<typeof commonRows>>
