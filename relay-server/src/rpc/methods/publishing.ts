/** Publishes messages: `publish` and `batchPublish`. All messages of clients are accepted and announced here. */
import type { Pending } from '@heliograph/shared/server/process/pending'
import { createTurnClock } from '@heliograph/shared/server/process/turn'
import { encodeResult, type RawId } from '@heliograph/shared/wire/json-rpc'
import { parseParams } from '@heliograph/shared/wire/params'
import {
  MESSAGE_TOO_LONG,
  type PublishParams,
  type RelayPrefix,
  relaySchemas,
} from '@heliograph/shared/wire/relay-methods'
import type { Peer } from '../../delivery/delivery.ts'
import { type Appended, type Client, type Commit, joined, type Publication } from '../../mailbox/mailbox.ts'
import { relayError } from '../../reasons.ts'
import type { Answers } from '../answers.ts'
import type { Method, Outcome, Parts, RpcLimits } from '../method.ts'

/** A message to publish. `prompt` requests calls of the topic's webhooks. */
export type Posting = Publication & { prompt: boolean }

/**
 * Result of a publish request with `count` messages. `askedAt` is when the request arrived, in ms of `performance.now`.
 * `accepted` has the messages that are not repeats, and the commit includes their webhook calls.
 */
export type Published = Appended & { count: number; askedAt: number }

/** A publish that is answered when its commit is durable or refused. */
type Waiting = { peer: Peer; id: RawId; published: Published }

export type PublishingOptions = {
  answers: Answers
  /** Encodes the error response to a request. */
  encodeThrown: (id: RawId, thrown: unknown) => string
  /** Tracks unanswered publishes. */
  pending: Pending
}

export type Publishing = {
  /**
   * Publishes a message that `scanPublish` recognized. Answers when its commit is durable or refused, then announces
   * it.
   */
  publishScanned: (peer: Peer, id: RawId, posting: Posting) => void
  /** Accepts messages, all or none. Throws RpcError -32005 and -32002 like `Mailbox.append`. */
  accept: (peer: Peer, postings: readonly Posting[]) => Published
  /**
   * Pushes accepted messages to their recipients. Must be called after the publisher was answered, with the time of the
   * answer.
   */
  announce: (published: Published, answeredAt: number) => void
}

/**
 * Converts a decoded publish. Reduces a ttl over the limit, because v2 clients would retry a refused publish
 * indefinitely. Throws RpcError -32005, which names `place`, if the message is too long.
 */
export const toPosting = ({ message, ttl, ...rest }: PublishParams, place: string, limits: RpcLimits): Posting => {
  if (Buffer.byteLength(message) > limits.messageBytes)
    throw relayError('limitExceeded', MESSAGE_TOO_LONG, { place, limit: limits.messageBytes, setting: 'message-bytes' })
  const json = JSON.stringify(message)
  return { ...rest, json, size: Buffer.byteLength(json), ttl: Math.min(ttl, limits.maxTtl) }
}

export const createPublishing = (parts: Parts, { answers, encodeThrown, pending }: PublishingOptions): Publishing => {
  const { mailbox, hub, webhooks, reports, metrics } = parts
  const timeOfTurn = createTurnClock(() => performance.now())
  const waitingFor = new Map<Commit, Waiting[]>()

  /** Queues webhook calls and watch events of messages, including repeats. Returns the commit of messages and calls. */
  const queueCalls = (publisher: Client, postings: readonly Posting[], commit: Commit): Commit => {
    const report = reports.published(publisher, postings, commit)
    let whole = report ? joined(commit, report) : commit
    for (const { topic, prompt } of postings) {
      const calls = prompt ? webhooks.notify(topic) : undefined
      if (calls) whole = joined(whole, calls)
    }
    return whole
  }

  const accept: Publishing['accept'] = (peer, postings) => {
    const askedAt = timeOfTurn()
    const { accepted, commit } = mailbox.append(peer.client, postings, peer.payers)
    // Keeps the mailbox's copy of the topic, because a slice of the frame would keep the frame's whole text in memory.
    peer.publishesTo = accepted[0]?.topic ?? peer.publishesTo
    return { accepted, count: postings.length, commit: queueCalls(peer.client, postings, commit), askedAt }
  }

  const announce: Publishing['announce'] = ({ accepted, count, askedAt }, answeredAt) => {
    metrics.answerSeconds.observe((answeredAt - askedAt) / 1000)
    metrics.publishes.inc(count)
    for (const message of accepted) hub.offer(message.topic, mailbox.announce(message))
  }

  // All publishes share these functions, because creating functions for each publish would be slow.
  const encodeTrue = ({ id }: Waiting): string => encodeResult(id, true)
  const announceOne = ({ published }: Waiting, answeredAt: number): void => announce(published, answeredAt)
  const nothing = (): void => undefined

  /** Answers the publishes of a commit when it is durable or refused. */
  const settle = async (commit: Commit, waiting: readonly Waiting[]): Promise<void> => {
    try {
      await commit.durable
    } catch (refusal) {
      answers.sendAll(waiting, ({ id }) => encodeThrown(id, refusal), nothing)
      return
    } finally {
      waitingFor.delete(commit)
    }
    answers.sendAll(waiting, encodeTrue, announceOne)
  }

  /**
   * Answers a publish together with the other publishes of its commit. A repeat, and a publish with webhook calls or
   * watches, has a commit of its own (`joined`), and a decoded publish awaits its commit separately. These publishes
   * may therefore be answered and announced out of order.
   */
  const answerAfter = (commit: Commit, one: Waiting): void => {
    const known = waitingFor.get(commit)
    if (known) {
      known.push(one)
      return
    }
    const waiting = [one]
    waitingFor.set(commit, waiting)
    pending.add(settle(commit, waiting))
  }

  return {
    publishScanned: (peer, id, posting) => {
      try {
        const published = accept(peer, [posting])
        answerAfter(published.commit, { peer, id, published })
      } catch (thrown) {
        answers.send({ peer, text: encodeThrown(id, thrown) })
      }
    },
    accept,
    announce,
  }
}

/** The publish methods for decoded frames. */
export const messageMethods = ({ limits }: Parts, publishing: Publishing) => {
  /** Throws RpcError -32602 if the ttl of a `relay_` publish is too long, and -32005 if the message is. */
  const postingOf = (message: PublishParams, place: string, prefix: RelayPrefix): Posting => {
    if (prefix === 'relay' && message.ttl > limits.maxTtl)
      throw relayError('invalidParams', 'ttlTooLong', {
        place: `${place}.ttl`,
        limit: limits.maxTtl,
        setting: 'max-ttl',
      })
    return toPosting(message, `${place}.message`, limits)
  }

  const publishAll = async (peer: Peer, postings: readonly Posting[]): Promise<Outcome> => {
    const published = publishing.accept(peer, postings)
    await published.commit.durable
    return { result: true, after: answeredAt => publishing.announce(published, answeredAt) }
  }

  const publish: Method = async (peer, params, prefix) => {
    const message = parseParams(params, relaySchemas(prefix).publish)
    return publishAll(peer, [postingOf(message, 'params', prefix)])
  }

  /** Publishes all messages or, if one is refused, none. */
  const batchPublish: Method = async (peer, params, prefix) => {
    const { messages } = parseParams(params, relaySchemas(prefix).batchPublish)
    return publishAll(
      peer,
      messages.map((message, index) => postingOf(message, `params.messages[${index}]`, prefix)),
    )
  }

  return { publish, batchPublish }
}
