/**
 * Reasons of the errors that both servers send to clients, with their English texts. If a limit is exceeded, `setting`
 * is the name of the setting or of the share.
 */
import { type Catalogue, fillIn, type ValuesIn, valuesFor } from '../reasons.ts'

export const serverReasons = {
  addressOverRate: 'too many requests from your address ({setting})',
  addressOverMessageRate: 'too many messages from your address ({setting})',
  bodyNotJson: 'body: is not JSON in UTF-8',
  bodyTooLong: 'body: is longer than {limit} bytes ({setting})',
  clientOverMessageRate: 'too many messages ({setting})',
  contentEncodingUnsupported: 'Content-Encoding: {value} is not supported',
  contentLengthInvalid: 'Content-Length: must be decimal digits',
  contentLengthMissing: 'Content-Length: is missing',
  contentLengthRepeated: 'Content-Length: is repeated',
  contentLengthWithEncoding: 'Content-Length: must not come with Transfer-Encoding',
  contentTypeUnsupported: 'Content-Type: {value} is not application/json',
  headTooLong: 'head: is longer than {limit} bytes ({setting})',
  hostInvalid: 'Host: must be given exactly once',
  httpMethodUnsupported: 'method: {value} is not one of {allowed}',
  internal: 'Internal error',
  limitReached: 'limit reached ({setting})',
  operatorTokenWrong: 'Authorization: must be the bearer token of this server',
  pathUnknown: 'path: {value} does not exist',
  serverFull: 'at most {limit} connections ({setting})',
  shareUsedUp: 'the share of your {holder} is used up: {limit} {resource} ({setting})',
  stopping: 'the server is stopping',
  storageUnavailable: 'messages cannot be stored at the moment ({setting})',
  targetNameNotPublic: '{place}: resolves to an address that is not public',
  targetNotHttps: '{place}: must be https',
  targetNotPublic: '{place}: must be at a public address',
  topicWebhooks: 'body.webhook: a topic has at most {limit} webhooks',
  transferEncodingUnsupported: 'Transfer-Encoding: must be chunked',
  webhookBytes: 'body.webhook: webhooks and topics have at most {limit} bytes together',
  webhookRegistrationClosed:
    'webhooks can be registered from this machine only; the operator can set webhook-token, or set webhook-registration to open',
  webhookShareUsedUp: 'body.webhook: the share of your {holder} is used up: {limit} {resource} ({setting})',
  webhookTopics: 'body.topic: at most {limit} topics have webhooks',
  websocketVersionUnsupported: 'Sec-WebSocket-Version: must be {version}',
} as const satisfies Catalogue

export type ServerReason = keyof typeof serverReasons

/** Returns the text of a reason, for a close frame, which has no room for more. */
export const serverText = <R extends ServerReason>(reason: R, values: ValuesIn<(typeof serverReasons)[R]>): string =>
  fillIn(serverReasons[reason], valuesFor(serverReasons[reason], values))
