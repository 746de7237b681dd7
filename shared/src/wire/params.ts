/** Validates external values with valibot schemas. Errors name the place and the rule and do not quote the value. */
import * as v from 'valibot'
import { rpcError } from '../errors.ts'
import { show, ValueError } from '../evm/hex.ts'

/** Text for rules without their own. valibot's messages quote the received value, which may be a secret. */
const rule = (issue: v.BaseIssue<unknown>): string => {
  if (issue.expected === 'never') return 'is not known'
  return issue.received === 'undefined' ? 'is missing' : `must be of type ${issue.expected}`
}

const step = (key: unknown): string => {
  if (typeof key === 'number') return `[${key}]`
  return typeof key === 'string' && /^\w{1,40}$/.test(key) ? `.${key}` : `[${show(key)}]`
}

const describe = (place: string, { path, message }: v.BaseIssue<unknown>): string =>
  `${place}${path?.map(item => step(item.key)).join('') ?? ''}: ${message}`

const parseWith = <S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  place: string,
  failure: (text: string) => Error,
): v.InferOutput<S> => {
  const result = v.safeParse(schema, value, { abortEarly: true, message: rule })
  if (!result.success) throw failure(describe(place, result.issues[0]))
  return result.output
}

/** Returns the schema's output. Throws ValueError: `body.topic: is missing`. */
export const parse = <S extends v.GenericSchema>(schema: S, value: unknown, place: string): v.InferOutput<S> =>
  parseWith(schema, value, place, text => new ValueError(text))

/** Returns the schema's output for the params of a request. Throws RpcError -32602: `params.ttl: must be …`. */
export const parseParams = <S extends v.GenericSchema>(schema: S, params: unknown): v.InferOutput<S> =>
  parseWith(schema, params, 'params', text => rpcError('invalidParams', text))
