/** Fields of a request that are not understood: they are not signed, and the person is told so. */
import { show } from '@heliograph/shared/evm/hex'
import type { Finding } from '../../messages.ts'

/** Names that are told; a site can send any number. */
const MOST_NAMES = 6
const LONGEST_NAME = 32

export const reviewIgnored = (names: readonly string[]): Finding[] => {
  if (names.length === 0) return []
  const told = names.slice(0, MOST_NAMES).map(name => show(name.slice(0, LONGEST_NAME)))
  const text = [...told, ...(names.length > MOST_NAMES ? ['…'] : [])].join(', ')
  return [{ level: 'none', name: 'ignoredFields', values: [text] }]
}

/** The findings of a request that is reviewed anew, with what only the site's own params say. */
export const withIgnored = (findings: readonly Finding[], before: readonly Finding[]): Finding[] => [
  ...findings,
  ...before.filter(({ name }) => name === 'ignoredFields'),
]
