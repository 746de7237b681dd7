/** Publishing, the step that several methods share. */
import { rpcError } from '@heliograph/shared/errors'
import type { Publish, RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from './delivery.ts'
import type { Parts, RpcLimits } from './method.ts'

/** Refuses a message that is longer than this relay takes. `place` is where it stood. Throws RpcError -32005. */
export const refuseLong = (message: string, place: string, { messageBytes }: RpcLimits): void => {
  if (Buffer.byteLength(message) > messageBytes)
    throw rpcError('limitExceeded', `${place}: is longer than ${messageBytes} bytes (message-bytes)`)
}

/** Refuses a ttl that is longer than this relay keeps a message, where the interface has it refused. Throws RpcError -32602. */
export const refuseLate = (ttl: number, place: string, prefix: RelayPrefix, { maxTtl }: RpcLimits): void => {
  if (prefix === 'relay' && ttl > maxTtl)
    throw rpcError('invalidParams', `${place}: must be at most ${maxTtl} seconds here (max-ttl)`)
}

/**
 * Stores messages, all or none, and calls their webhooks. Resolves when they survive a crash, with what tells their
 * recipients: call it when the publisher's answer is out. v2 clients that are refused for their ttl retry until they
 * end, so theirs is cut. Throws RpcError.
 */
export const publishAll = async (
  { mailbox, webhooks, metrics, limits }: Parts,
  { client }: Peer,
  messages: readonly Publish[],
): Promise<() => void> => {
  await mailbox.append(
    ...messages.map(({ topic, message, ttl, tag, attestation }) => ({
      topic,
      message: JSON.stringify(message),
      ttl: Math.min(ttl, limits.maxTtl),
      tag,
      attestation,
      publisher: client,
    })),
  )
  metrics.publishes.inc(messages.length)
  for (const { topic, prompt } of messages) if (prompt) webhooks.notify(topic)
  return () => {
    for (const { topic } of messages) mailbox.announce(topic)
  }
}
