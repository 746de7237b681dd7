/** Publishing, the step that several methods share. */
import { rpcError } from '@heliograph/shared/errors'
import type { Publish, RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from './delivery.ts'
import type { Parts, RpcLimits } from './method.ts'

/** Refuses a message of so many bytes if that is more than this relay takes. `place` is where it stood. Throws RpcError -32005. */
export const refuseLong = (bytes: number, place: string, { messageBytes }: RpcLimits): void => {
  if (bytes > messageBytes)
    throw rpcError('limitExceeded', `${place}: is longer than ${messageBytes} bytes (message-bytes)`)
}

/** Refuses a ttl that is longer than this relay keeps a message, where the interface has it refused. Throws RpcError -32602. */
export const refuseLate = (ttl: number, place: string, prefix: RelayPrefix, { maxTtl }: RpcLimits): void => {
  if (prefix === 'relay' && ttl > maxTtl)
    throw rpcError('invalidParams', `${place}: must be at most ${maxTtl} seconds here (max-ttl)`)
}

/** What is published: `json` is the JSON text of the message, `bytes` the length of the message itself. */
export type Posting = Omit<Publish, 'message'> & { json: string; bytes: number }

/** The message of a call as its JSON text. */
export const toPosting = ({ message, ...rest }: Publish): Posting => ({
  ...rest,
  json: JSON.stringify(message),
  bytes: Buffer.byteLength(message),
})

/** `safe` resolves when what was published survives a crash; `announce` is to be called when the publisher knows. */
export type Published = { safe: Promise<void>; announce: () => void }

/**
 * Publishes messages, all or none. v2 clients that are refused for their ttl retry until they end, so theirs is cut.
 * Throws RpcError; `safe` rejects with one.
 */
export const publishAll = (
  { mailbox, webhooks, metrics, limits }: Parts,
  { client: publisher }: Peer,
  postings: readonly Posting[],
): Published => {
  const publications = postings.map(({ topic, json: message, ttl, tag, attestation }) => ({
    topic,
    message,
    ttl: Math.min(ttl, limits.maxTtl),
    tag,
    attestation,
    publisher,
  }))
  const { messages, safe } = mailbox.append(publications)
  const announce = () => {
    metrics.publishes.inc(postings.length)
    for (const { topic, prompt } of postings) if (prompt) webhooks.notify(topic)
    for (const message of messages) mailbox.announce(message)
  }
  return { safe, announce }
}
