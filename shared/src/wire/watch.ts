/**
 * Watching a client: a service is called when the client publishes, or when a message for it moves. The client agrees by
 * a JWT of its own; the relay signs what it says.
 * https://specs.walletconnect.com/2.0/specs/servers/relay/relay-webhooks
 */
import * as v from 'valibot'
import { ValueError } from '../evm/hex.ts'
import { parse } from './params.ts'
import { type Claimed, checkClaims, decodeJwt, type Rules } from './relay-auth.ts'
import { uint32 } from './relay-methods.ts'
import { webhookUrl } from './webhook.ts'

const watchTypes = ['subscriber', 'publisher'] as const
const watchStatuses = ['accepted', 'queued', 'delivered'] as const

/** Which side of a message is watched. */
export type WatchType = (typeof watchTypes)[number]
/** Taken for the client, with no socket of the client to go to at once, acknowledged by the client. */
export type WatchStatus = (typeof watchStatuses)[number]

/** Seconds from the making of a registration to its end. */
export const MAX_WATCH_SECONDS = 30 * 24 * 60 * 60
/** Characters of the webhook's address, and of the service's. */
const MAX_URL_LENGTH = 256
/** Tags of one registration. */
const MAX_TAGS = 128

const seconds = v.pipe(v.number(), v.integer('must be a whole number of seconds'))

const isServiceName = (text: string) => text.length > 0 && text.length <= MAX_URL_LENGTH

const act = <A extends string>(name: A) => v.literal(name, `must be ${name}`)

/** A set of known words or numbers. */
const setOf = <S extends v.GenericSchema>(item: S, max: number) =>
  v.pipe(
    v.array(item),
    v.check(items => items.length > 0 && items.length <= max, `must have 1 to ${max} items`),
  )

const claims = {
  aud: v.string(),
  sub: v.pipe(v.string(), v.check(isServiceName, `must have 1 to ${MAX_URL_LENGTH} characters`)),
  typ: v.picklist(watchTypes, `must be ${watchTypes.join(' or ')}`),
  whu: webhookUrl(MAX_URL_LENGTH),
  iat: seconds,
  nbf: v.optional(seconds),
}

const registerSchema = v.object({
  ...claims,
  act: act('irn_watchRegister'),
  exp: seconds,
  tag: setOf(uint32, MAX_TAGS),
  sts: setOf(v.picklist(watchStatuses, `must be one of ${watchStatuses.join(', ')}`), MAX_TAGS),
})

const unregisterSchema = v.object({ ...claims, act: act('irn_watchUnregister'), exp: v.optional(seconds) })

export type RegisterClaims = v.InferOutput<typeof registerSchema>
export type UnregisterClaims = v.InferOutput<typeof unregisterSchema>

/** What a token says, and what is left to check: whether the client signed it. */
export type Agreement<C> = Claimed & { claims: C }

const anyClaims = v.looseObject({ iss: v.string() })

const read = <S extends v.GenericSchema>(token: string, schema: S, place: string): Agreement<v.InferOutput<S>> => {
  const { claims, ...claimed } = decodeJwt(token, anyClaims, 'payload must hold iss')
  return { ...claimed, claims: parse(schema, claims, place) }
}

/**
 * Reads the token of a registration and checks all of it but the signature. Throws RpcError 3000 for a token that does
 * not hold, ValueError for a claim that breaks a rule.
 */
export const readRegisterAuth = (token: string, rules: Rules): Agreement<RegisterClaims> => {
  const agreement = read(token, registerSchema, 'params.registerAuth')
  const { iat, exp } = agreement.claims
  checkClaims(agreement.claims, rules)
  if (exp - iat > MAX_WATCH_SECONDS)
    throw new ValueError(`params.registerAuth.exp: must be at most ${MAX_WATCH_SECONDS} seconds after iat`)
  return agreement
}

/** As `readRegisterAuth`. Clients give this token no end; it then lasts as long as what it ends could. */
export const readUnregisterAuth = (token: string, rules: Rules): Agreement<UnregisterClaims> => {
  const agreement = read(token, unregisterSchema, 'params.unregisterAuth')
  const { iat, exp = iat + MAX_WATCH_SECONDS } = agreement.claims
  checkClaims({ ...agreement.claims, exp }, rules)
  return agreement
}

/**
 * What the service is told. `messageId` is what `batchReceive` takes, `publishedAt` is in milliseconds of Unix time, and
 * a message without an attestation has `null`.
 */
export type WatchEvent = {
  messageId: number
  status: WatchStatus
  topic: string
  message: string
  attestation: string | null
  publishedAt: number
  tag: number
}

/** The claims of a call, without the signer and the time: those are the caller's. */
export type EventClaims = {
  act: 'irn_watchEvent'
  typ: WatchType
  /** The service, as the client named it. */
  aud: string
  /** The watched client. */
  sub: string
  whu: string
  evt: WatchEvent
}
