/**
 * The relay's JSON-RPC: one table of methods under five prefixes. `relay_subscribe`, `relay_publish` and
 * `relay_unsubscribe` are the rows `subscribe`, `publish` and `unsubscribe`; `irn_`, `iridium_`, `waku_` and `bridge_`
 * lead to the same rows. `relay_subscription` goes the other way: see push.ts.
 */
import { RpcError, type RpcErrorObject, rpcError, toErrorObject } from '@heliograph/shared/errors'
import { show } from '@heliograph/shared/evm/hex'
import type { Logger } from '@heliograph/shared/server/log'
import { createPending } from '@heliograph/shared/server/pending'
import type { Webhooks } from '@heliograph/shared/server/webhooks'
import {
  type Decoded,
  decode,
  defaultLimits,
  encodeError,
  encodeResult,
  type Request,
} from '@heliograph/shared/wire/json-rpc'
import { parseParams } from '@heliograph/shared/wire/params'
import { type RelayPrefix, relaySchemas, splitRelayMethod } from '@heliograph/shared/wire/relay-methods'
import type { Deliveries, Peer } from './delivery.ts'
import type { Hub } from './hub.ts'
import type { Mailbox } from './mailbox.ts'
import type { RelayMetrics } from './metrics.ts'

/** `frameBytes` bounds a frame, `messageBytes` the message in it, `maxTtl` (seconds) how long it may wait. */
export type RpcLimits = { frameBytes: number; messageBytes: number; maxTtl: number }

export type RpcOptions = {
  mailbox: Mailbox
  hub: Hub
  deliveries: Deliveries
  webhooks: Webhooks
  metrics: RelayMetrics
  log: Logger
  limits: RpcLimits
}

/** What a call gives, and what happens when the answer is on its way. */
type Outcome = { result: unknown; after?: () => void }
type Method = (peer: Peer, params: unknown, prefix: RelayPrefix) => Promise<Outcome>

/** Seconds a message may wait here. v2 clients that are refused for their ttl retry until they end, so theirs is cut. */
const boundTtl = (ttl: number, maxTtl: number, prefix: RelayPrefix): number => {
  if (prefix === 'relay' && ttl > maxTtl)
    throw rpcError('invalidParams', `params.ttl: must be at most ${maxTtl} seconds here (max-ttl)`)
  return Math.min(ttl, maxTtl)
}

const createMethods = ({ mailbox, hub, webhooks, metrics, limits }: RpcOptions): ReadonlyMap<string, Method> => {
  const subscribe: Method = async (peer, params, prefix) => {
    const { topic } = parseParams(relaySchemas(prefix).subscribe, params)
    const { id, open } = await hub.subscribe(peer, topic, prefix)
    return { result: id, after: open }
  }

  const publish: Method = async (peer, params, prefix) => {
    const { topic, message, ttl, tag, prompt, attestation } = parseParams(relaySchemas(prefix).publish, params)
    if (Buffer.byteLength(message) > limits.messageBytes)
      throw rpcError('limitExceeded', `params.message: is longer than ${limits.messageBytes} bytes (message-bytes)`)
    await mailbox.append({
      topic,
      message: JSON.stringify(message),
      ttl: boundTtl(ttl, limits.maxTtl, prefix),
      tag,
      attestation,
      publisher: peer.client,
    })
    metrics.publishes.inc()
    if (prompt) webhooks.notify(topic)
    return { result: true, after: () => mailbox.announce(topic) }
  }

  const unsubscribe: Method = async (peer, params, prefix) => {
    const { topic, id } = parseParams(relaySchemas(prefix).unsubscribe, params)
    await hub.unsubscribe(peer, topic, id ?? undefined)
    return { result: true }
  }

  return new Map(Object.entries({ subscribe, publish, unsubscribe }))
}

export type Rpc = {
  /** Takes one frame of a peer. It is answered once, unless it is an answer itself or a notification. */
  receive: (peer: Peer, frame: Uint8Array) => void
  /** Resolves when what was received so far has its answer. */
  settled: () => Promise<void>
}

/** An answer to one frame; a notification has no text. */
type Reply = { text?: string; after?: () => void }

export const createRpc = (options: RpcOptions): Rpc => {
  const { deliveries, metrics, log, limits } = options
  const methods = createMethods(options)
  const frameLimits = { ...defaultLimits, size: limits.frameBytes }
  const pending = createPending()

  const call = async (peer: Peer, { method, params }: Request): Promise<Outcome> => {
    const split = splitRelayMethod(method)
    const handle = split && methods.get(split.name)
    if (!split || !handle) throw rpcError('methodNotFound', `method: ${show(method)} does not exist`)
    return handle(peer, params, split.prefix)
  }

  const refuse = (id: string, error: RpcErrorObject): string => {
    metrics.rejects.inc({ code: error.code })
    return encodeError(id, error)
  }

  const answer = async (peer: Peer, request: Request): Promise<Reply> => {
    const { id } = request
    try {
      const { result, after } = await call(peer, request)
      return { ...(id !== undefined && { text: encodeResult(id, result) }), ...(after && { after }) }
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) log.error({ err: thrown }, 'a request failed')
      const error = toErrorObject(thrown)
      return id === undefined ? {} : { text: refuse(id, error) }
    }
  }

  const reply = async (peer: Peer, frame: Exclude<Decoded, { kind: 'batch' }>): Promise<Reply> => {
    if (frame.kind === 'request') return answer(peer, frame)
    if (frame.kind === 'invalid') return { text: refuse(frame.id, frame.error) }
    if ('result' in frame && frame.result === true) deliveries.acknowledge(peer, Number(frame.id))
    return {}
  }

  /** Answers first; what follows from the calls comes after. */
  const respond = async (peer: Peer, frame: Decoded): Promise<void> => {
    const isBatch = frame.kind === 'batch'
    const replies = await Promise.all((isBatch ? frame.items : [frame]).map(item => reply(peer, item)))
    const texts = replies.flatMap(({ text }) => text ?? [])
    if (texts.length > 0) peer.connection.send(isBatch ? `[${texts.join(',')}]` : texts.join())
    for (const { after } of replies) after?.()
  }

  return {
    receive: (peer, frame) => pending.add(respond(peer, decode(frame, frameLimits))),
    settled: pending.settled,
  }
}
