/** The gateways that the user chose for collectibles' pictures and metadata. A new wallet has none. */
import type { GatewaysView } from '../../messages.ts'
import { toRpcUrl } from '../networks/rpc-url.ts'
import { type Cell, createCell, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'

export const createGateways = (store: Store): Cell<GatewaysView> =>
  createCell<GatewaysView>(store, 'gateways', { ipfs: null, arweave: null })

/**
 * Returns the base URL of a gateway as the user entered it, ending in a slash; null for empty text. Paths are appended
 * to it: https://specs.ipfs.tech/http-gateways/path-gateway/. Throws -32602 for anything but an http or https URL.
 */
export const toGateway = (entered: string | null): string | null => {
  const text = entered?.trim() ?? ''
  if (text === '') return null
  const href = toRpcUrl(text)
  if (href === undefined) throw rpcError('invalidParams', 'notGateway')
  const { origin, pathname } = new URL(href)
  return `${origin}${pathname.replace(/\/*$/, '/').replace(/\/ipfs\/$/, '/')}`
}
