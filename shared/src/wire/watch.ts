/**
 * Watches: a webhook receives events when a client publishes, or when a message for the client changes state. The
 * client agrees with a JWT; the relay signs the events.
 * https://specs.walletconnect.com/2.0/specs/servers/relay/relay-webhooks
 */
import * as v from 'valibot'
import { valueErrorsOf } from '../evm/value-error.ts'
import { parseAs } from './params.ts'
import { clientReasons } from './reasons.ts'
import {
  audienceSchema,
  checkClaims,
  decodeJwt,
  secondsSchema,
  type TokenRules,
  type UnverifiedToken,
} from './relay-auth.ts'
import { uint32Schema } from './relay-values.ts'
import { rule } from './rules.ts'
import { webhookUrlSchema } from './webhook.ts'

const valueError = valueErrorsOf(clientReasons)

const watchTypes = ['subscriber', 'publisher'] as const
const watchStatuses = ['accepted', 'queued', 'delivered'] as const

/** The side of a message that is watched: its publisher or its subscriber. */
export type WatchType = (typeof watchTypes)[number]
/**
 * State of a watched message: accepted for the client, queued because the client is offline, or acknowledged by the
 * client.
 */
export type WatchStatus = (typeof watchStatuses)[number]

/** Maximum duration of a registration in seconds. */
const MAX_WATCH_SECONDS = 30 * 24 * 60 * 60
/** Maximum length in characters of the webhook URL, and of the service URL. */
const MAX_URL_LENGTH = 256
/** Maximum number of tags per registration. */
const MAX_TAGS = 128

const isServiceName = (text: string) => text.length > 0 && text.length <= MAX_URL_LENGTH

const act = <A extends string>(name: A) => v.literal(name, rule('notClaim', { allowed: name }))

/** A non-empty list of limited length. */
const setOf = <S extends v.GenericSchema>(item: S, max: number) =>
  v.pipe(
    v.array(item),
    v.check(items => items.length > 0 && items.length <= max, rule('wrongItemCount', { most: max })),
  )

const claims = {
  aud: audienceSchema,
  sub: v.pipe(v.string(), v.check(isServiceName, rule('wrongLength', { most: MAX_URL_LENGTH }))),
  typ: v.picklist(watchTypes, rule('notClaim', { allowed: watchTypes.join(' or ') })),
  whu: webhookUrlSchema(MAX_URL_LENGTH),
  iat: secondsSchema,
  nbf: v.optional(secondsSchema),
}

const registerSchema = v.object({
  ...claims,
  act: act('irn_watchRegister'),
  exp: secondsSchema,
  tag: setOf(uint32Schema, MAX_TAGS),
  sts: setOf(v.picklist(watchStatuses, rule('notClaim', { allowed: `one of ${watchStatuses.join(', ')}` })), MAX_TAGS),
})

const unregisterSchema = v.object({ ...claims, act: act('irn_watchUnregister'), exp: v.optional(secondsSchema) })

/** Claims of a registration. `iat`, `nbf` and `exp` are Unix time in seconds. */
export type RegisterClaims = v.InferOutput<typeof registerSchema>
/** Claims of a token that unregisters a watch. */
export type UnregisterClaims = v.InferOutput<typeof unregisterSchema>

/** Decoded claims. The signature has not been verified yet. */
export type Agreement<C> = UnverifiedToken & { claims: C }

const anyClaims = v.looseObject({ iss: v.string() })

const read = <S extends v.GenericSchema>(token: string, schema: S, place: string): Agreement<v.InferOutput<S>> => {
  const { claims, ...claimed } = decodeJwt(token, anyClaims, 'iss')
  return { ...claimed, claims: parseAs(claims, schema, place) }
}

/**
 * Decodes the token of a registration and checks everything but its signature. Throws RpcError 3000 for an invalid token
 * and ValueError for a claim that breaks a rule.
 */
export const readRegisterAuth = (token: string, rules: TokenRules): Agreement<RegisterClaims> => {
  const agreement = read(token, registerSchema, 'params.registerAuth')
  const { iat, exp } = agreement.claims
  checkClaims(agreement.claims, rules)
  if (exp - iat > MAX_WATCH_SECONDS)
    throw valueError('watchTooLong', { place: 'params.registerAuth.exp', most: MAX_WATCH_SECONDS })
  return agreement
}

/** Like `readRegisterAuth`. `exp` is optional here, and defaults to the maximum duration of a registration. */
export const readUnregisterAuth = (token: string, rules: TokenRules): Agreement<UnregisterClaims> => {
  const agreement = read(token, unregisterSchema, 'params.unregisterAuth')
  const { iat, exp = iat + MAX_WATCH_SECONDS } = agreement.claims
  checkClaims({ ...agreement.claims, exp }, rules)
  return agreement
}

/**
 * An event as sent to the webhook. `messageId` is an argument for `batchReceive`, `publishedAt` is Unix time in
 * milliseconds, and `attestation` is null if the message has none.
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

/** Claims of an event call. The caller adds the issuer and the times. */
export type EventClaims = {
  act: 'irn_watchEvent'
  typ: WatchType
  /** The service URL, as given by the client. */
  aud: string
  /** did:key of the watched client. */
  sub: string
  whu: string
  evt: WatchEvent
}
