/** ENS names as users type them, normalized by ENSIP-15: https://docs.ens.domains/ensip/15 */
// This build of the library uses the platform's Unicode normalization instead of its own table.
import { ens_normalize } from '@adraffy/ens-normalize/xnf'
import { rpcError } from '../text/errors.ts'

/** Maximum UTF-16 units of a name, as in DNS. */
export const MAX_NAME = 255
/** Maximum number of labels. Each one costs a query to the node: see resolver.ts. */
export const MAX_LABELS = 16

/** Normalizes a name. Undefined for text that is not an ENS name with at least two labels. */
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

/** Normalizes a name. Throws -32602 if it is not an ENS name. */
export const toEnsName = (text: string): string => {
  const name = normalizeName(text.trim())
  if (name === undefined) throw rpcError('invalidParams', 'notEnsName')
  return name
}
