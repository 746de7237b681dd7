/** Schemas for values that several wallet_ methods share. */
import { nodeValues } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import { hasHiddenCharacters } from './text.ts'

/** Maximum characters of a currency symbol. */
export const MAX_SYMBOL = 11
/** Maximum decimals of a token. No known token has more. */
export const MAX_DECIMALS = 36

/** A chain id in hex, converted to a number. */
export const chainIdValue = v.pipe(
  nodeValues.quantity,
  v.transform(Number),
  v.check(id => id > 0 && Number.isSafeInteger(id), `must be from 0x1 to 0x${Number.MAX_SAFE_INTEGER.toString(16)}`),
)

/** Returns a schema for a single line of readable text. */
export const line = (most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.check(text => text.length > 0 && text.length <= most, `must have 1 to ${most} characters`),
    v.check(text => !/\p{Cc}/u.test(text) && !hasHiddenCharacters(text), 'must have visible characters only'),
  )

export const wholeNumber = (most: number) =>
  v.pipe(
    v.number(),
    v.check(
      count => Number.isInteger(count) && count >= 0 && count <= most,
      `must be a whole number from 0 to ${most}`,
    ),
  )

/** The decimals of a currency or token. Some sites send them as a string. */
export const decimalsValue = v.union([
  wholeNumber(MAX_DECIMALS),
  v.pipe(v.string(), v.regex(/^\d{1,2}$/, 'must be a number'), v.transform(Number), wholeNumber(MAX_DECIMALS)),
])
