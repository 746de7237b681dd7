/** The gateways that the person chose for pictures and metadata of collectibles. A new wallet has none. */
import type { GatewaysView } from '../../messages.ts'
import { toRpcUrl } from '../networks/rpc-url.ts'
import { type Cell, createCell, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'

export const createGateways = (store: Store): Cell<GatewaysView> =>
  createCell<GatewaysView>(store, 'gateways', { ipfs: null, arweave: null })

/**
 * The base of a gateway as the person entered it, ending in a slash; null for an empty text. Paths are added to it, as in
 * https://specs.ipfs.tech/http-gateways/path-gateway/. Throws -32602 for anything but an http or https URL.
 */
export const toGateway = (entered: string | null): string | null => {
  const text = entered?.trim() ?? ''
  if (text === '') return null
  const href = toRpcUrl(text)
  if (href === undefined) throw rpcError('invalidParams', 'notGateway')
  const { origin, pathname } = new URL(href)
  return `${origin}${pathname.replace(/\/*$/, '/').replace(/\/ipfs\/$/, '/')}`
}
