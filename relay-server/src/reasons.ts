/**
 * Reasons and English texts of the relay's errors. In an error about a limit, `setting` names the setting or the share.
 * The relay counts refusals by it.
 */
import { errorsOf } from '@heliograph/shared/errors'
import { serverReasons } from '@heliograph/shared/server/reasons'
import { httpErrorsOf } from '@heliograph/shared/server/transport/http'
import { MESSAGE_TOO_LONG } from '@heliograph/shared/wire/relay-methods'

const { shareUsedUp } = serverReasons

const relayReasons = {
  clientTopics: 'a client has at most {limit} topics ({setting})',
  clientWatches: 'a client has at most {limit} watches ({setting})',
  connectionClosed: 'the connection is closed',
  [MESSAGE_TOO_LONG]: '{place}: is longer than {limit} bytes ({setting})',
  methodUnknown: 'method: {method} does not exist',
  originRefused: 'Unauthorized: origin not allowed',
  projectMissing: 'Project ID is missing',
  projectUnknown: 'Project not found',
  shareUsedUp,
  storeBytes: 'this relay holds at most {limit} bytes ({setting})',
  storeFailing: 'the store refuses writes: {cause}',
  storeMessages: 'this relay holds at most {limit} messages ({setting})',
  subscriptions: 'this relay has at most {limit} subscriptions ({setting})',
  subscriptionUnknown: '{place}: this connection has no such subscription to the topic',
  tokenMissing: 'JWT is missing',
  tooManyRequests: 'Too many requests',
  topicBytes: 'a topic holds at most {limit} bytes ({setting})',
  topicBytesOfHolder: 'a topic holds at most {limit} bytes of one {holder} ({setting})',
  topicClients: 'a topic has at most {limit} clients ({setting})',
  topicClientsOfHolder: 'a topic has at most {limit} clients of one {holder} ({setting})',
  topicMessages: 'a topic holds at most {limit} messages ({setting})',
  topicMessagesOfHolder: 'a topic holds at most {limit} messages of one {holder} ({setting})',
  ttlTooLong: '{place}: must be at most {limit} seconds here ({setting})',
  watches: 'the relay has at most {limit} watches ({setting})',
} as const

/** Errors of the relay's methods, and errors of its upgrade requests with an HTTP status. */
export const relayError = errorsOf(relayReasons)
export const relayHttpError = httpErrorsOf(relayReasons)
