/**
 * Validates external values with valibot schemas, https://valibot.dev/. Errors name the place and the rule and do not quote the
 * value.
 */
import * as v from 'valibot'
import { RpcError, toFailure } from '../errors.ts'
import { fromChainCase, toAddress } from '../evm/address.ts'
import { decodeQuantity, encodeQuantity, type Hex, isHex, normalizeQuantity } from '../evm/hex.ts'
import { show, ValueError } from '../evm/value-error.ts'
import { valueReasons } from '../evm/value-reasons.ts'
import { fillIn, type Values, valuesFor } from '../reasons.ts'
import { paramReasons, ruleReasons } from './reasons.ts'
import { ruleOf } from './rules.ts'

/** Makes a schema from a parser that throws. `rule` replaces the parser's message, which would quote the value. */
export const parsedBy = <T>(parser: (value: unknown) => T, rule: string) =>
  v.pipe(
    v.unknown(),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      try {
        return parser(dataset.value)
      } catch {
        addIssue({ message: rule })
        return NEVER
      }
    }),
  )

const address = parsedBy(
  value => toAddress(value),
  'must be an address: 0x and 40 hex digits, in mixed case with the right EIP-55 checksum',
)
const quantity = parsedBy(
  value => encodeQuantity(decodeQuantity(value)),
  'must be a QUANTITY: 0x and hex digits without leading zeros',
)
const siteQuantity = parsedBy(value => normalizeQuantity(value), 'must be 0x and hex digits of at most 256 bits')
const data = v.custom<Hex>(isHex, 'must be DATA: 0x and an even number of hex digits')
/** `siteQuantity` also accepts leading zeros, and a bare `0x` as zero, because sites send them. */
export const nodeValues = { address, quantity, siteQuantity, data }

/** The members of a JSON object. */
export type Members = Record<string, unknown>

const texts = { ...paramReasons, ...ruleReasons, missing: valueReasons.missing } as const

/**
 * Message of a schema rule without its own text. valibot's own messages quote the
 * received value, which may be a secret.
 */
const UNNAMED = ''

/** Returns the reason of an issue and its values, without the place. */
const reasonOf = ({
  expected,
  received,
  message,
}: v.BaseIssue<unknown>): { reason: keyof typeof texts; values: Values } => {
  if (message !== UNNAMED) return ruleOf(message) ?? { reason: 'invalidParam', values: { rule: message } }
  if (expected === 'never') return { reason: 'unknownMember', values: {} }
  if (received === 'undefined') return { reason: 'missing', values: {} }
  return { reason: 'wrongType', values: { type: String(expected) } }
}

const step = (key: unknown): string => {
  if (typeof key === 'number') return `[${key}]`
  return typeof key === 'string' && /^\w{1,40}$/.test(key) ? `.${key}` : `[${show(key)}]`
}

/** Makes the error for the first wrong value. */
const describe = (place: string, issue: v.BaseIssue<unknown>): ValueError => {
  const { reason, values } = reasonOf(issue)
  const text = texts[reason]
  const kept = valuesFor(text, {
    ...values,
    place: `${place}${issue.path?.map(item => step(item.key)).join('') ?? ''}`,
  })
  return new ValueError(fillIn(text, kept), reason, kept)
}

/** Returns the schema's output. Throws ValueError: `body.topic: is missing`. */
export const parseAs = <S extends v.GenericSchema>(value: unknown, schema: S, place: string): v.InferOutput<S> => {
  const result = v.safeParse(schema, value, { abortEarly: true, message: UNNAMED })
  if (!result.success) throw describe(place, result.issues[0])
  return result.output
}

/** Returns the schema's output for the params of a request. Throws RpcError -32602: `params.ttl: must be …`. */
export const parseParams = <S extends v.GenericSchema>(params: unknown, schema: S): v.InferOutput<S> => {
  try {
    return parseAs(params, schema, 'params')
  } catch (thrown) {
    throw new RpcError(toFailure(thrown))
  }
}

const withPlainCase = (value: unknown, chainId: number): unknown => {
  if (Array.isArray(value)) return value.map(item => withPlainCase(item, chainId))
  if (typeof value !== 'object' || value === null) return fromChainCase(value, chainId)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withPlainCase(member, chainId)]))
}

/** Like `parseParams`, but addresses may also be in the chain's EIP-1191 case. */
export const parseParamsOn = <S extends v.GenericSchema>(
  chainId: number,
  params: unknown,
  schema: S,
): v.InferOutput<S> => parseParams(withPlainCase(params, chainId), schema)
