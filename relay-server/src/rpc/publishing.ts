/** Publishing, shared by several methods. */
import { rpcError } from '@heliograph/shared/errors'
import { MESSAGE_TOO_LONG, type Publish, type RelayPrefix } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from '../delivery/delivery.ts'
import type { Appended, Publication, Taken } from '../mailbox/mailbox.ts'
import type { Parts, RpcLimits } from './method.ts'

/** Throws RpcError -32005 if a message is too large. `place` names the param. */
export const checkMessageSize = (bytes: number, place: string, { messageBytes }: RpcLimits): void => {
  if (bytes > messageBytes)
    throw rpcError('limitExceeded', `${place}: is longer than ${messageBytes} bytes (message-bytes)`, {
      reason: MESSAGE_TOO_LONG,
      values: { place, limit: messageBytes },
    })
}

/** Throws RpcError -32602 if the ttl of a `relay_` publish is too long. */
export const checkTtl = (ttl: number, place: string, prefix: RelayPrefix, { maxTtl }: RpcLimits): void => {
  if (prefix === 'relay' && ttl > maxTtl)
    throw rpcError('invalidParams', `${place}: must be at most ${maxTtl} seconds here (max-ttl)`)
}

/** A publish request: `message` is JSON text, `bytes` the length of the message itself. */
export type Posting = Publication & { bytes: number; prompt: boolean }

/** Converts a publish. A ttl over the limit is reduced, because v2 clients would retry a refused publish indefinitely. */
export const toPosting = ({ message, ttl, ...rest }: Publish, { maxTtl }: RpcLimits): Posting => {
  const json = JSON.stringify(message)
  const [bytes, size] = [Buffer.byteLength(message), Buffer.byteLength(json)]
  return { ...rest, message: json, size, bytes, ttl: Math.min(ttl, maxTtl) }
}

const both = async (one: Promise<unknown>, other: Promise<unknown>): Promise<void> => {
  await Promise.all([one, other])
}

/**
 * Stores messages, all or none, and queues their webhook calls, usually in one commit; otherwise `safe` waits
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

/** Pushes a new message to its recipients, after its publisher has its response. */
export const announce = ({ mailbox, metrics }: Parts, taken: Taken | undefined): void => {
  metrics.publishes.inc()
  if (taken) mailbox.announce(taken)
}

/** Publishes messages, all or none. Resolves when they are durable, with a function that announces them. Throws RpcError. */
export const publishAll = async (parts: Parts, peer: Peer, postings: readonly Posting[]): Promise<() => void> => {
  const askedAt = performance.now()
  const { taken, safe } = takeIn(parts, peer, postings)
  await safe
  parts.metrics.answerSeconds.observe((performance.now() - askedAt) / 1000)
  return () => {
    for (const one of taken) announce(parts, one)
  }
}
