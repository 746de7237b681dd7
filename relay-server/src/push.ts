/**
 * The frame that carries a message to a subscriber. The message is spliced in as the JSON text it is kept in. Clients of
 * the v2 protocol need more members than the interface has: Android drops a push without `publishedAt` or `tag`, and
 * without `attestation` a JavaScript wallet asks a third party about each request.
 */
import type { RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import type { Message } from './mailbox.ts'

/** How a client subscribed: it is pushed with the prefix it used. `id` is the subscription's. */
export type PushTarget = { id: string; topic: string; prefix: RelayPrefix }

export const encodePush = (pushId: number, { id, topic, prefix }: PushTarget, message: Message): string => {
  const { publishedAt, tag, attestation } = message
  const more =
    prefix === 'relay' ? '' : `,"publishedAt":${publishedAt},"tag":${tag},"attestation":${JSON.stringify(attestation)}`
  const data = `{"topic":${JSON.stringify(topic)},"message":${message.message}${more}}`
  return `{"id":${pushId},"jsonrpc":"2.0","method":"${prefix}_subscription","params":{"id":"${id}","data":${data}}}`
}
