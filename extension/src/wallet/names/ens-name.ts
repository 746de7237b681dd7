/** ENS names as people type them, normalized by ENSIP-15: https://docs.ens.domains/ensip/15 */
// This build of the library uses the platform's Unicode normalization instead of a table of its own.
import { ens_normalize } from '@adraffy/ens-normalize/xnf'
import { rpcError } from '../text/errors.ts'

/** Longest name in UTF-16 units, as long as one in DNS. */
export const MAX_NAME = 255
/** Each part of a name is a question to the node: see resolver.ts. */
export const MAX_LABELS = 16

/** The normalized name; undefined for a text that is no ENS name of at least two parts. */
export const normalizeName = (text: string): string | undefined => {
  if (text.length > MAX_NAME) return undefined
  try {
    const name = ens_normalize(text)
    const labels = name.split('.').length
    return labels >= 2 && labels <= MAX_LABELS && name.length <= MAX_NAME ? name : undefined
  } catch {
    return undefined
  }
}

/** The normalized name. Throws -32602. */
export const toEnsName = (text: string): string => {
  const name = normalizeName(text.trim())
  if (name === undefined) throw rpcError('invalidParams', 'notEnsName')
  return name
}
