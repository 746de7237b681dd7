/**
 * The relay's JSON-RPC methods. `relay_publish` is the method `publish` under this project's own prefix;
 * `irn_`, `iridium_`, `waku_` and `bridge_` have the same methods. `relay_subscription` is a push: see push.ts.
 */
import { errorObjectWithReason, type Failure, nameOfCode, RpcError, toFailure } from '@heliograph/shared/errors'
import { show } from '@heliograph/shared/evm/value-error'
import { createPending } from '@heliograph/shared/server/process/pending'
import { settleInTurns } from '@heliograph/shared/server/process/turn'
import {
  type DecodedRpc,
  decodeJsonRpc,
  encodeError,
  encodeResult,
  NO_ID,
  type RpcRequest,
} from '@heliograph/shared/wire/json-rpc'
import { relayPrefixes } from '@heliograph/shared/wire/relay-methods'
import type { Peer } from '../delivery/delivery.ts'
import { relayError } from '../reasons.ts'
import { createAnswers } from './answers.ts'
import { costOf, costOfFrame, costOfSize, type Item, itemsOf, refusedItems } from './cost.ts'
import type { After, Method, Outcome, Parts } from './method.ts'
import { mailboxMethods } from './methods/mailboxes.ts'
import { createPublishing, messageMethods, type Publishing } from './methods/publishing.ts'
import { sessionMethods } from './methods/sessions.ts'
import { subscriptionMethods } from './methods/subscriptions.ts'
import { watchMethods } from './methods/watches.ts'
import { scanAcknowledgement, scanPublish } from './scan.ts'

type Call = (peer: Peer, params: unknown) => Promise<Outcome>

/** All methods by full name. */
const createMethods = (parts: Parts, publishing: Publishing): ReadonlyMap<string, Call> => {
  const { publish, batchPublish } = messageMethods(parts, publishing)
  const { subscribe, batchSubscribe, unsubscribe, batchUnsubscribe } = subscriptionMethods(parts)
  const { fetchMessages, batchFetchMessages, batchReceive } = mailboxMethods(parts)
  const { proposeSession, approveSession } = sessionMethods(parts, publishing)
  const underEachPrefix: Record<string, Method> = {
    subscribe,
    batchSubscribe,
    unsubscribe,
    batchUnsubscribe,
    publish,
    batchPublish,
    fetchMessages,
    batchFetchMessages,
    batchReceive,
    ...watchMethods(parts),
  }
  const underTheirOwn: Record<string, Call> = {
    wc_proposeSession: proposeSession,
    wc_approveSession: approveSession,
  }
  const prefixed = relayPrefixes.flatMap(prefix =>
    Object.entries(underEachPrefix).map(([name, method]): [string, Call] => [
      `${prefix}_${name}`,
      (peer, params) => method(peer, params, prefix),
    ]),
  )
  return new Map([...prefixed, ...Object.entries(underTheirOwn)])
}

export type Rpc = {
  /** Handles a frame and returns its cost in tokens. Sends one response, unless no call expects one. */
  receive: (peer: Peer, frame: Buffer) => number
  /** Handles a frame of a peer over its rate: refuses calls, accepts acknowledgements. Returns the cost in tokens. */
  refuse: (peer: Peer, frame: Buffer) => number
  /** Resolves when all frames received so far are answered. */
  settled: () => Promise<void>
}

/** A response. A notification has none, so it has no `text`. */
type Reply = { text?: string; after?: After }

export const createRpc = (parts: Parts): Rpc => {
  const { deliveries, metrics, refused, log, limits } = parts
  const frameLimits = { size: limits.frameBytes, depth: limits.frameDepth, batch: limits.batchItems }
  const onFault = (err: unknown) => log.error({ err }, 'a frame failed')
  const pending = createPending(onFault)

  /** Encodes an error response, and counts it by its code and by the setting that was exceeded. */
  const encodeFailure = (id: string, failure: Failure): string => {
    metrics.rejects.inc({ reason: nameOfCode(failure.code) })
    const { setting } = failure.values
    if (setting !== undefined) refused(`${setting}`)
    return encodeError(id, errorObjectWithReason(failure))
  }

  const encodeThrown = (id: string, thrown: unknown): string => {
    if (!(thrown instanceof RpcError)) log.error({ err: thrown }, 'a request failed')
    return encodeFailure(id, toFailure(thrown))
  }

  const answers = createAnswers(onFault)
  const publishing = createPublishing(parts, { answers, encodeThrown, pending })
  const methods = createMethods(parts, publishing)

  const call = async (peer: Peer, { method, params }: RpcRequest): Promise<Outcome> => {
    const handle = methods.get(method)
    if (!handle) throw relayError('methodNotFound', 'methodUnknown', { method: show(method) })
    return handle(peer, params)
  }

  const execute = async (peer: Peer, request: RpcRequest): Promise<Reply> => {
    const { id } = request
    try {
      const { result, after, cost } = await call(peer, request)
      if (cost !== undefined) peer.connection.charge(cost)
      return { ...(id !== undefined && { text: encodeResult(id, result) }), ...(after && { after }) }
    } catch (thrown) {
      // A notification gets no response, but its error is encoded too, so that the error is counted.
      const text = encodeThrown(id ?? NO_ID, thrown)
      return id === undefined ? {} : { text }
    }
  }

  const reply = async (peer: Peer, frame: Item): Promise<Reply> => {
    if (frame.kind === 'request') return execute(peer, frame)
    if (frame.kind === 'invalid') return { text: encodeFailure(frame.id, frame.error) }
    return {}
  }

  /** Acknowledges a push. Returns the cost in tokens: 0, or 1 if there is no unacknowledged push with that id. */
  const acknowledge = (peer: Peer, pushId: number): number => (deliveries.acknowledge(peer, pushId) ? 0 : 1)

  /** Acknowledges all pushes to which the frame responds with `true`. Returns the cost in tokens. */
  const acknowledgeAll = (peer: Peer, frame: DecodedRpc): number =>
    itemsOf(frame).reduce((sum, item) => {
      const isTrue = item.kind === 'response' && 'result' in item && item.result === true
      return isTrue ? sum + acknowledge(peer, Number(item.id)) : sum
    }, 0)

  const replyToAll = async (peer: Peer, items: readonly Item[]): Promise<Reply[]> => {
    const attempts = await settleInTurns(items, item => reply(peer, item), costOf)
    return attempts.flatMap(attempt => {
      if (attempt.status === 'fulfilled') return attempt.value
      onFault(attempt.reason)
      return []
    })
  }

  const respondToAll = async (peer: Peer, items: readonly Item[]): Promise<void> => {
    const replies = await replyToAll(peer, items)
    const texts = replies.flatMap(({ text }) => text ?? [])
    if (texts.length > 0) answers.send({ peer, text: `[${texts.join(',')}]` })
    for (const { after } of replies) if (after) answers.send({ peer, text: undefined, after })
  }

  const respond = async (peer: Peer, frame: DecodedRpc): Promise<void> => {
    if (frame.kind === 'batch') return respondToAll(peer, frame.items)
    const { text, after } = await reply(peer, frame)
    answers.send({ peer, text, after })
  }

  return {
    receive: (peer, frame) => {
      const pushId = scanAcknowledgement(frame)
      if (pushId !== undefined) return acknowledge(peer, pushId)
      const posting = scanPublish(frame, limits, peer.publishesTo)
      if (posting) {
        publishing.publishScanned(peer, posting.id, posting)
        return 1 + costOfSize(frame.length)
      }
      const decoded = decodeJsonRpc(frame, frameLimits)
      const cost = acknowledgeAll(peer, decoded) + costOfFrame(decoded, frame.length)
      pending.add(respond(peer, decoded))
      return cost
    },
    refuse: (peer, frame) => {
      const decoded = decodeJsonRpc(frame, frameLimits)
      const cost = acknowledgeAll(peer, decoded) + costOfFrame(decoded, frame.length)
      const items = refusedItems(decoded)
      if (decoded.kind === 'batch') pending.add(respond(peer, { kind: 'batch', items }))
      else for (const item of items) pending.add(respond(peer, item))
      return cost
    },
    settled: pending.settled,
  }
}
