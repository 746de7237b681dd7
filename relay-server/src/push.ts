/**
 * The frame that carries a message to a subscriber. The message is spliced in as the JSON text it is kept in. Clients of
 * the v2 protocol need more members than the interface has: Android drops a push without `publishedAt` or `tag`, and
 * without `attestation` a JavaScript wallet asks a third party about each request.
 */
import type { RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import type { Message } from './mailbox.ts'

/** How a client subscribed: it is pushed with the prefix it used. `id` is the subscription's. */
export type PushTarget = { id: string; topic: string; prefix: RelayPrefix }

/** What all frames of a subscription have between the push id and the message. */
export const pushHead = ({ id, topic, prefix }: PushTarget): string =>
  `,"jsonrpc":"2.0","method":"${prefix}_subscription","params":{"id":"${id}","data":{"topic":${JSON.stringify(topic)},"message":`

/** The frame; `head` is `pushHead` of a subscription under that prefix. */
export const encodePush = (pushId: number, head: string, prefix: RelayPrefix, message: Message): string => {
  if (prefix === 'relay') return `{"id":${pushId}${head}${message.message}}}}`
  const { publishedAt, tag, attestation } = message
  const proof = attestation === '' ? '""' : JSON.stringify(attestation)
  const more = `"publishedAt":${publishedAt},"tag":${tag},"attestation":${proof}`
  return `{"id":${pushId}${head}${message.message},${more}}}}`
}
