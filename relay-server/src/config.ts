/** The relay's settings. Rows that bound something give their name to the error of whoever goes beyond. */
import { type Config, ConfigError, integer, kebab, listOf, oneOf, text } from '@heliograph/shared/server/config'
import { fitCommon, type Machine, MOST } from '@heliograph/shared/server/machine'
import { commonRows, countRow, fittedRow, row, socketRows, topicRows } from '@heliograph/shared/server/rows'
import { shareNames } from '@heliograph/shared/server/shares'
import { MAX_TTL, MIN_TTL } from '@heliograph/shared/wire/relay-methods'

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/\s?#]+$/

/** As browsers send it: scheme, host, and a port that is not the scheme's own. */
const origin = (value: string): string => {
  const lowered = value.toLowerCase()
  if (!ORIGIN.test(lowered)) throw new ConfigError('must be an origin such as https://app.example, without a path')
  return lowered
}

const MOST_MESSAGES = 5_000_000
const MOST_BYTES = 16 * 1024 ** 3

export const relayRows = {
  ...commonRows({ port: 8080, dataDir: '.data/relay' }),
  ...socketRows,
  publicUrls: row<readonly string[]>(
    'URLs under which clients reach this relay, between commas: tokens made for another are refused; none takes any',
    [],
    listOf(text),
  ),
  auth: row<'optional' | 'required'>(
    'Whether clients must prove their key: optional, or required, which refuses who has no token',
    'optional',
    oneOf('optional', 'required'),
  ),
  projectIds: row<readonly string[]>(
    'Project ids that may connect, between commas; none lets any connect, and those without one',
    [],
    listOf(text),
  ),
  origins: row<readonly string[]>(
    'Origins of pages that may connect, between commas: https://app.example; none lets any. What is no page has none, and may',
    [],
    listOf(origin),
  ),
  durability: row<'process' | 'disk'>(
    'What an accepted message survives: process, the end of the relay however it ends, and a power cut a moment later; disk, a power cut at once, which makes answers and deliveries wait for the disk',
    'process',
    oneOf('process', 'disk'),
  ),
  messageBytes: countRow('Most bytes of a message', 256 * 1024),
  batchItems: countRow('Most requests in one frame', 100),
  frameDepth: countRow('Most levels of nesting in a frame', 64),
  maxTtl: row('Most seconds that a message may wait', MAX_TTL, integer(MIN_TTL, MAX_TTL)),
  topicMessages: countRow('Most messages that wait on a topic', 5000),
  topicBytes: countRow('Most bytes of messages that wait on a topic', 32 * 1024 * 1024),
  ...topicRows,
  storeMessages: fittedRow('Most messages that wait on all topics', MOST_MESSAGES),
  storeBytes: fittedRow('Most bytes of messages that wait on all topics', MOST_BYTES, 'disk'),
  subscriptionDays: countRow('Days after which a client that has not come to a topic is taken off it', 60),
  unusedHours: countRow('Hours after which it is taken off a topic that has never had a message for it', 24),
  clientWatches: countRow('Most watches of a client', 64),
  watches: countRow('Most watches of all clients', MOST.watches),
  unacknowledged: countRow('Most messages pushed to a subscription that it has not acknowledged', 256),
  redeliverySeconds: countRow('Seconds without an acknowledgement after which a message is pushed again', 8),
}

const settings = new Set([...Object.keys(relayRows).map(kebab), ...shareNames])

/** The setting or the share in the error of whoever went beyond it: `… (topic-bytes)`. */
export const settingIn = (message: string): string | undefined => {
  const [, name = ''] = /\(([a-z-]+)\)$/.exec(message) ?? []
  return settings.has(name) ? name : undefined
}

export type RelayConfig = Config<typeof relayRows>

/** The settings with every bound in numbers, as the machine allows, and the share that each holder has of them. */
export const fitRelay = (config: RelayConfig, machine: Machine) => {
  const most = { messages: MOST_MESSAGES, bytes: MOST_BYTES }
  const { limits, storeMessages, topicMessages, bounds, shares } = fitCommon(config, machine, { ...config, most })
  return { limits: { ...limits, storeMessages, topicMessages }, bounds, shares }
}
