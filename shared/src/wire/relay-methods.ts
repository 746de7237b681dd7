/**
 * The relay's methods: names, prefixes, params. `relay_` is this project's own interface. Generations of v2 clients use
 * the other prefixes: `bridge_` alpha, `waku_` beta, `iridium_` candidate, `irn_` current. Those clients send more
 * members, and their params are checked less strictly.
 * https://specs.walletconnect.com/2.0/specs/servers/relay/relay-server-rpc
 */
import * as v from 'valibot'
import { isUint32, topicSchema, uint32Rule } from './relay-values.ts'
import { rule } from './rules.ts'
import { isWellFormed } from './text.ts'

/** Prefixes of method names, before the underscore. */
export const relayPrefixes = ['relay', 'irn', 'iridium', 'waku', 'bridge'] as const
/** A prefix of method names. */
export type RelayPrefix = (typeof relayPrefixes)[number]

/**
 * Reason of the relay's error -32005 for a message over the size limit, sent in `data` by `errorObjectWithReason`. A
 * publisher must not retry it. Any other -32005 may be temporary.
 */
export const MESSAGE_TOO_LONG = 'messageTooLong'

/** Shortest time to live of a message, in seconds. */
export const MIN_TTL = 1
/** Longest time to live of a message, in seconds. */
export const MAX_TTL = 30 * 24 * 60 * 60
/** Default ttl in seconds. v2 proposals from Android and iOS have none. */
const DEFAULT_TTL = 300

/** Maximum number of topics, messages, subscriptions or receipts per call. Clients split their lists at this size. */
export const MAX_ITEMS = 500

/** A v2 topic: the SHA-256 of a key. */
const hashTopic = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, rule('notLowerHex', { digits: 64 })))

/** Opaque text. The server configuration limits its length. */
const message = v.pipe(v.string(), v.check(isWellFormed, rule('notWellFormed', {})))

const isTtl = (seconds: number) => Number.isInteger(seconds) && seconds >= MIN_TTL && seconds <= MAX_TTL

const ttl = v.pipe(v.number(), v.check(isTtl, rule('notSeconds', { least: MIN_TTL, most: MAX_TTL })))

/** v2 clients retry a rejected publish for as long as their process runs, so a ttl out of range is clamped instead. */
const clampedTtl = v.pipe(
  v.nullish(v.number(), DEFAULT_TTL),
  v.transform(seconds => Math.min(Math.max(Math.trunc(seconds), MIN_TTL), MAX_TTL)),
)

/** The kind of message, for the peer. The relay forwards it unchanged; 0 by default. */
const tag = v.pipe(v.nullish(v.number(), 0), v.check(isUint32, uint32Rule))

/** The origin's proof, forwarded with the message. If it is empty, clients do not query a third party. */
const attestation = v.pipe(v.nullish(v.string(), ''), v.check(isWellFormed, rule('notWellFormed', {})))

/** `prompt` requests the webhook call. It is not documented for `relay_publish`, where it defaults to true. */
const publish = v.object({ topic: topicSchema, message, ttl, tag, prompt: v.nullish(v.boolean(), true), attestation })
const v2Publish = v.object({
  topic: hashTopic,
  message,
  ttl: clampedTtl,
  tag,
  prompt: v.nullish(v.boolean(), false),
  attestation,
})

const unsubscribe = v.object({ topic: topicSchema, id: v.string() })
const v2Unsubscribe = v.object({ topic: hashTopic, id: v.nullish(v.string()) })

/** Hex SHA-256 of a message's UTF-8, or the number given in a watch event. */
const messageId = v.union([
  v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, rule('notLowerHex', { digits: 64 }))),
  v.pipe(v.number(), v.safeInteger(rule('notSafeNumber', {}))),
])

/** Rust clients spell the id of a receipt `message_id`. */
const spelledAsOurs = (receipt: Readonly<Record<string, unknown>>) =>
  Object.hasOwn(receipt, 'messageId') ? receipt : { ...receipt, messageId: receipt.message_id }

const receiptOf = <T extends v.GenericSchema>(topic: T) =>
  v.pipe(v.record(v.string(), v.unknown()), v.transform(spelledAsOurs), v.object({ topic, messageId }))

/** A JWT with which a client registers or unregisters a watch: see watch.ts. */
const token = v.string()

const listOf = <S extends v.GenericSchema>(item: S) =>
  v.pipe(v.array(item), v.maxLength(MAX_ITEMS, rule('tooManyItems', { most: MAX_ITEMS })))

/** Builds the method table from the schemas in which `relay_` and v2 differ. */
const methodsOf = <T extends v.GenericSchema, P extends v.GenericSchema, U extends v.GenericSchema>(
  topic: T,
  publish: P,
  unsubscribe: U,
) => ({
  subscribe: v.object({ topic }),
  batchSubscribe: v.object({ topics: listOf(topic) }),
  unsubscribe,
  batchUnsubscribe: v.object({ subscriptions: listOf(unsubscribe) }),
  publish,
  batchPublish: v.object({ messages: listOf(publish) }),
  fetchMessages: v.object({ topic }),
  batchFetchMessages: v.object({ topics: listOf(topic) }),
  batchReceive: v.object({ receipts: listOf(receiptOf(topic)) }),
  watchRegister: v.object({ registerAuth: token }),
  watchUnregister: v.object({ unregisterAuth: token }),
})

const relayMethods = methodsOf(topicSchema, publish, unsubscribe)
const v2Methods = methodsOf(hashTopic, v2Publish, v2Unsubscribe)

/** Schemas of the client methods under a prefix. They drop unknown members. */
export const relaySchemas = (prefix: RelayPrefix) => (prefix === 'relay' ? relayMethods : v2Methods)

/** Params of a publish, with defaults filled in. `ttl` is in seconds. */
export type PublishParams = v.InferOutput<typeof publish>

/** Tags that the relay gives to session messages, which arrive without a tag. */
export const sessionTags = { proposal: 1100, proposalResponse: 1101, settlement: 1102 } as const

/** Session steps: sign-client 2.21.6 and later send each as a single call. The method names have no prefix. */
export const sessionSchemas = {
  wc_proposeSession: v.object({ pairingTopic: hashTopic, sessionProposal: message, ttl: clampedTtl, attestation }),
  wc_approveSession: v.object({
    pairingTopic: hashTopic,
    sessionTopic: hashTopic,
    sessionProposalResponse: message,
    sessionSettlementRequest: message,
    ttl: clampedTtl,
  }),
}

/** Params of the push to a subscriber (`relay_subscription`). */
export const subscriptionSchema = v.object({
  id: v.string(),
  data: v.object({ topic: topicSchema, message, tag, publishedAt: v.nullish(v.number()), attestation }),
})
/** Params of a push. `publishedAt` is Unix time in milliseconds. */
export type SubscriptionParams = v.InferOutput<typeof subscriptionSchema>
