/**
 * Reasons of the relay's errors and their English texts. An error over a limit has the name of the setting, or of the share,
 * in `setting`; the relay counts refusals by it.
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
  subscriptionUnknown: '{place}: is not the subscription of this connection to this topic',
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

/** Errors of the relay's methods, and of its connections. */
export const relayError = errorsOf(relayReasons)
export const relayHttpError = httpErrorsOf(relayReasons)
