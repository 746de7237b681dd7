/** Reports request fields that the wallet does not know, and therefore does not sign. */
import { show } from '@heliograph/shared/evm/value-error'
import type { Finding } from '../../messages.ts'
import { finding } from './findings.ts'

/** Maximum number of names that are reported, and their maximum length: a site can send any number of any length. */
const MOST_NAMES = 6
const MAX_NAME_LENGTH = 32

export const reviewIgnored = (names: readonly string[]): Finding[] => {
  if (names.length === 0) return []
  const told = names.slice(0, MOST_NAMES).map(name => show(name.slice(0, MAX_NAME_LENGTH)))
  const text = [...told, ...(names.length > MOST_NAMES ? ['…'] : [])].join(', ')
  return [finding('none', 'ignoredFields', text)]
}

/**
 * Copies the findings about ignored fields to a repeated review, which no longer has the original params and cannot
 * find them.
 */
export const withIgnored = (findings: readonly Finding[], before: readonly Finding[]): Finding[] => [
  ...findings,
  ...before.filter(({ name }) => name === 'ignoredFields'),
]
