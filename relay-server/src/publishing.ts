/** Publishing, the step that several methods share. */
import { rpcError } from '@heliograph/shared/errors'
import type { Publish, RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from './delivery.ts'
import type { Appended, Publication, Taken } from './mailbox/mailbox.ts'
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

/** What is published: the message as JSON text, and the bytes of the message itself. */
export type Posting = Publication & { bytes: number; prompt: boolean }

/** The message of a call as its JSON text. v2 clients that are refused for their ttl retry until they end: it is cut. */
export const toPosting = ({ message, ttl, ...rest }: Publish, { maxTtl }: RpcLimits): Posting => {
  const json = JSON.stringify(message)
  const [bytes, size] = [Buffer.byteLength(message), Buffer.byteLength(json)]
  return { ...rest, message: json, size, bytes, ttl: Math.min(ttl, maxTtl) }
}

const both = async (one: Promise<unknown>, other: Promise<unknown>): Promise<void> => {
  await Promise.all([one, other])
}

/**
 * Takes messages in, all or none, and with them the calls that their webhooks get: in one commit, or else `safe` waits
 * for both. Throws RpcError.
 */
export const takeIn = (
  { mailbox, webhooks }: Parts,
  { client, payers }: Pick<Peer, 'client' | 'payers'>,
  postings: readonly Posting[],
): Appended => {
  const { taken, safe } = mailbox.append(client, postings, payers)
  let all = safe
  for (const { topic, prompt } of postings) {
    const called = prompt ? webhooks.notify(topic) : undefined
    if (called) all = both(all, called)
  }
  return { taken, safe: all }
}

/** Tells the recipients of a message that is new, when it is safe and its publisher knows. */
export const announce = ({ mailbox, metrics }: Parts, taken: Taken | undefined): void => {
  metrics.publishes.inc()
  if (taken) mailbox.announce(taken)
}

/** Publishes messages, all or none. Resolves when they survive a crash, with what announces them. Throws RpcError. */
export const publishAll = async (parts: Parts, peer: Peer, postings: readonly Posting[]): Promise<() => void> => {
  const askedAt = performance.now()
  const { taken, safe } = takeIn(parts, peer, postings)
  await safe
  parts.metrics.answerSeconds.observe((performance.now() - askedAt) / 1000)
  return () => {
    for (const one of taken) announce(parts, one)
  }
}
