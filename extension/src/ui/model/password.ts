/**
 * Estimates how hard a password is to guess. The estimate leaves out the cost of the vault's key derivation, which
 * slows each guess.
 */

export const MIN_PASSWORD_LENGTH = 8

export type Strength = 'short' | 'weak' | 'fair' | 'good' | 'strong'

/** The most common passwords of published leaks. */
const COMMON = /^(password|passw0rd|qwerty|letmein|welcome|admin|iloveyou|dragon|monkey|football|abc123|heliograph)/i

/** Alphabets that an attacker has to try, with their sizes. */
const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[^a-zA-Z\d]/, 33],
]

const WEAK_BITS = 40
const FAIR_BITS = 56
const GOOD_BITS = 72

/**
 * Counts the characters that are neither the previous character nor next to it in Unicode order. "aaaa" and "1234"
 * count as 1.
 */
const surprises = (password: string): number =>
  [...password].filter((char, at, chars) => {
    const step = (char.codePointAt(0) ?? 0) - (chars[at - 1]?.codePointAt(0) ?? -9)
    return Math.abs(step) > 1
  }).length

export const strengthOf = (password: string): Strength => {
  if (password.length < MIN_PASSWORD_LENGTH) return 'short'
  const alphabet = ALPHABETS.reduce((size, [pattern, count]) => size + (pattern.test(password) ? count : 0), 0)
  const bits = surprises(password) * Math.log2(alphabet)
  if (COMMON.test(password) || bits < WEAK_BITS) return 'weak'
  if (bits < FAIR_BITS) return 'fair'
  return bits < GOOD_BITS ? 'good' : 'strong'
}

/** True if the password is too short or among the first that an attacker tries. */
export const isRefused = (password: string): boolean =>
  password.length < MIN_PASSWORD_LENGTH || (COMMON.test(password) && password.length < 2 * MIN_PASSWORD_LENGTH)
