/**
 * The relay's methods: names, prefixes, params. `relay_` is the interface this project states; the other prefixes are
 * those of the v2 clients by age (`bridge_` alpha, `waku_` beta, `iridium_` candidate, `irn_` today), which send more
 * members and are refused less.
 */
import * as v from 'valibot'
import { isWellFormed } from './text.ts'

export const relayPrefixes = ['relay', 'irn', 'iridium', 'waku', 'bridge'] as const
export type RelayPrefix = (typeof relayPrefixes)[number]

/** Seconds a message may wait. */
export const MIN_TTL = 1
export const MAX_TTL = 30 * 24 * 60 * 60
/** Seconds for a v2 message that names no ttl: proposals from Android and iOS do not. */
export const DEFAULT_TTL = 300

/** Code points of a topic that is no hash; at most four times as many bytes, short enough for a key of any store. */
export const MAX_TOPIC_LENGTH = 256
const MAX_UINT32 = 2 ** 32 - 1
/** Topics, messages, subscriptions or receipts in one call: the clients cut their lists at this. */
export const MAX_ITEMS = 500

const TOPIC = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${MAX_TOPIC_LENGTH}}$`, 'u')

/** A topic of the interface, or the client id of a webhook: text of a bounded length without control characters. */
export const topic = v.pipe(
  v.string(),
  v.regex(TOPIC, `must have 1 to ${MAX_TOPIC_LENGTH} characters, none of them a control character`),
)

/** A topic of the v2 protocol: the hash of a key. */
const hashTopic = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits'))

/** Opaque text. How long it may be is the server's configuration. */
const message = v.pipe(v.string(), v.check(isWellFormed, 'must be well-formed Unicode text'))

const isTtl = (seconds: number) => Number.isInteger(seconds) && seconds >= MIN_TTL && seconds <= MAX_TTL

const ttl = v.pipe(v.number(), v.check(isTtl, `must be a whole number of seconds from ${MIN_TTL} to ${MAX_TTL}`))

/** A v2 client that is refused a publish retries it until its process ends, so an odd ttl is brought into range. */
const clampedTtl = v.pipe(
  v.nullish(v.number(), DEFAULT_TTL),
  v.transform(seconds => Math.min(Math.max(Math.trunc(seconds), MIN_TTL), MAX_TTL)),
)

const isUint32 = (value: number) => Number.isInteger(value) && value >= 0 && value <= MAX_UINT32

const uint32Rule = `must be a whole number from 0 to ${MAX_UINT32}`

/** A tag of a message. */
export const uint32 = v.pipe(v.number(), v.check(isUint32, uint32Rule))

/** What kind of message it is, for the peer; handed on with it. 0 when there is none. */
const tag = v.pipe(v.nullish(v.number(), 0), v.check(isUint32, uint32Rule))

/** The origin's proof that comes with a message, handed on with it. Empty keeps clients from asking a third party. */
const attestation = v.pipe(v.nullish(v.string(), ''), v.check(isWellFormed, 'must be well-formed Unicode text'))

/** `prompt` asks for the webhook. The interface has no such member: there every publish calls the webhook. */
const publish = v.object({ topic, message, ttl, tag, prompt: v.nullish(v.boolean(), true), attestation })
const v2Publish = v.object({
  topic: hashTopic,
  message,
  ttl: clampedTtl,
  tag,
  prompt: v.nullish(v.boolean(), false),
  attestation,
})

const unsubscribe = v.object({ topic, id: v.string() })
const v2Unsubscribe = v.object({ topic: hashTopic, id: v.nullish(v.string()) })

/** Hex SHA-256 of a message in UTF-8, or the number that a watch event gives for it. */
const messageId = v.union([
  v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')),
  v.pipe(v.number(), v.safeInteger('must be a whole number below 2^53')),
])

/** Services in Rust spell the id of a receipt in another way. */
const spelledAsOurs = (receipt: Readonly<Record<string, unknown>>) =>
  Object.hasOwn(receipt, 'messageId') ? receipt : { ...receipt, messageId: receipt.message_id }

const receiptOf = <T extends v.GenericSchema>(topic: T) =>
  v.pipe(v.record(v.string(), v.unknown()), v.transform(spelledAsOurs), v.object({ topic, messageId }))

/** A JWT that says which client agrees to be watched, or no more, and by whom: see watch.ts. */
const token = v.string()

const listOf = <S extends v.GenericSchema>(item: S) =>
  v.pipe(v.array(item), v.maxLength(MAX_ITEMS, `must have at most ${MAX_ITEMS} items`))

/** All methods from the parts in which the interface and the v2 clients differ. */
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

const relayMethods = methodsOf(topic, publish, unsubscribe)
const v2Methods = methodsOf(hashTopic, v2Publish, v2Unsubscribe)

/** The params of a client's methods under a prefix. Members that no method here reads are dropped. */
export const relaySchemas = (prefix: RelayPrefix) => (prefix === 'relay' ? relayMethods : v2Methods)

export type Publish = v.InferOutput<typeof publish>

/** Tags of the messages whose meaning the relay knows, since they come without one. */
export const tags = { proposal: 1100, proposalResponse: 1101, settlement: 1102 } as const

/** The two steps of a session that are one call each for the clients of today. They have one prefix, and no other. */
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

/** Params of the push to a subscriber (`relay_subscription`), as a client reads them. */
export const subscriptionSchema = v.object({
  id: v.string(),
  data: v.object({ topic, message, tag, publishedAt: v.nullish(v.number()), attestation }),
})
export type Subscription = v.InferOutput<typeof subscriptionSchema>
