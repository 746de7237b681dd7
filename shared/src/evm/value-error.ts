/** Errors about invalid values, with a reason and the value's place: see `reasons`. */
import { type Catalogue, fillIn, type Values, type ValuesIn, valuesFor } from '../reasons.ts'

/**
 * An error about a value that breaks a rule. Its message names the place: `message.orders[3].price: 2^256 does not fit
 * uint256`. `reason` names the rule. `values` fill the placeholders of its text, usually `place` and `value`.
 */
export class ValueError extends Error {
  override name = 'ValueError'
  readonly reason: string
  readonly values: Values

  constructor(message: string, reason: string, values: Values) {
    super(message)
    this.reason = reason
    this.values = values
  }
}

const LONGEST_QUOTE = 80

/** Formats any value for an error message: one short line, truncated. */
export const show = (value: unknown): string => {
  const text = describe(value)
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text
}

/** Writes large powers of two as such: 2^256 is easier to read than its 78 digits. */
const showInteger = (value: bigint): string => {
  const exponent = value.toString(2).length - 1
  return exponent >= 64 && value === 1n << BigInt(exponent) ? `2^${exponent}` : String(value)
}

const describe = (value: unknown): string => {
  if (typeof value === 'bigint') return showInteger(value)
  if (typeof value === 'string') return JSON.stringify(value.slice(0, LONGEST_QUOTE))
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (typeof value === 'function' || typeof value === 'symbol' || (typeof value === 'object' && value !== null))
    return `a value of type ${typeof value}`
  return String(value)
}

type Rest<Values> = keyof Values extends never ? [] : [values: Values]

/** Makes a ValueError from a reason in the catalogue and the reason's values. */
export type ValueErrors<C extends Catalogue> = <R extends keyof C & string>(
  reason: R,
  ...rest: Rest<ValuesIn<C[R]>>
) => ValueError

/** Returns a function that makes ValueErrors from one catalogue. Unknown reasons and missing values do not compile. */
export const valueErrorsOf =
  <C extends Catalogue>(catalogue: C): ValueErrors<C> =>
  (reason, ...rest) => {
    const [values = {}]: readonly Values[] = rest
    const text = catalogue[reason] ?? reason
    const kept = valuesFor(text, values)
    return new ValueError(fillIn(text, kept), reason, kept)
  }

/** Throws a ValueError with `place`, `value` (formatted by `show`) and the other values of the reason's text. */
export type Failing<C extends Catalogue> = <R extends keyof C & string>(
  place: string,
  value: unknown,
  reason: R,
  ...rest: Rest<Omit<ValuesIn<C[R]>, 'place' | 'value'>>
) => never

/** Returns a function that throws ValueErrors from one catalogue. */
export const failingOf = <C extends Catalogue>(catalogue: C): Failing<C> => {
  const valueError: (reason: string, values: Values) => ValueError = valueErrorsOf<Catalogue>(catalogue)
  return (place, value, reason, ...rest) => {
    const [values = {}]: readonly Values[] = rest
    throw valueError(reason, { ...values, place, value: show(value) })
  }
}
