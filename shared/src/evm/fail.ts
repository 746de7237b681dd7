/** Errors of this package, with reasons from `valueReasons`. */
import { type Failing, failingOf, valueErrorsOf } from './value-error.ts'
import { valueReasons } from './value-reasons.ts'

/** Makes a ValueError. */
export const valueError = valueErrorsOf(valueReasons)

/** Throws a ValueError that names the place, the value and the rule. */
export const fail: Failing<typeof valueReasons> = failingOf(valueReasons)
