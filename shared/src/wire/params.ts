/** Validates external values with valibot schemas. Errors name the place and the rule and do not quote the value. */
import * as v from 'valibot'
import { errorsOf } from '../errors.ts'
import { show, type ValueError, valueErrorsOf } from '../evm/hex.ts'
import { paramReasons } from './reasons.ts'

const rpcError = errorsOf(paramReasons)
const valueError = valueErrorsOf(paramReasons)

/** Text for rules without their own. valibot's messages quote the received value, which may be a secret. */
const rule = (issue: v.BaseIssue<unknown>): string => {
  if (issue.expected === 'never') return 'is not known'
  return issue.received === 'undefined' ? 'is missing' : `must be of type ${issue.expected}`
}

const step = (key: unknown): string => {
  if (typeof key === 'number') return `[${key}]`
  return typeof key === 'string' && /^\w{1,40}$/.test(key) ? `.${key}` : `[${show(key)}]`
}

/** The place of the first wrong value, and the rule that it breaks. */
type Broken = { place: string; rule: string }

const describe = (place: string, { path, message }: v.BaseIssue<unknown>): Broken => ({
  place: `${place}${path?.map(item => step(item.key)).join('') ?? ''}`,
  rule: message,
})

const parseWith = <S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  place: string,
  failure: (broken: Broken) => Error,
): v.InferOutput<S> => {
  const result = v.safeParse(schema, value, { abortEarly: true, message: rule })
  if (!result.success) throw failure(describe(place, result.issues[0]))
  return result.output
}

/** The ValueError of a rule that no schema checks. */
export const invalidParam = (place: string, rule: string): ValueError => valueError('invalidParam', { place, rule })

/** Returns the schema's output. Throws ValueError: `body.topic: is missing`. */
export const parse = <S extends v.GenericSchema>(schema: S, value: unknown, place: string): v.InferOutput<S> =>
  parseWith(schema, value, place, broken => valueError('invalidParam', broken))

/** Returns the schema's output for the params of a request. Throws RpcError -32602: `params.ttl: must be …`. */
export const parseParams = <S extends v.GenericSchema>(schema: S, params: unknown): v.InferOutput<S> =>
  parseWith(schema, params, 'params', broken => rpcError('invalidParams', 'invalidParam', broken))
