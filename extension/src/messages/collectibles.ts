/** Items of collections (ERC-721 and ERC-1155), as shown by the wallet's pages. */

/** An item that the account holds. `id` is decimal; `amount` is 1 for ERC-721. */
export type ItemView = { id: string; amount: string }

export type ItemAttribute = { name: string; value: string }

/**
 * Why an item has no picture. `none`: its contract or metadata names none. `noGateway`: the user chose no gateway for
 * it. `web`: it is on a web server, which the wallet does not contact. `refused`: it is too large or in a format that
 * is not shown. `unreachable`: the gateway did not respond.
 */
export type MissingPicture = 'none' | 'noGateway' | 'web' | 'refused' | 'unreachable'

/**
 * Metadata of an item, truncated but otherwise untrusted; null if missing. `imitates` is a known token that the name
 * resembles. `picture` is a data: URL; `missing` is null if there is a picture. `link` is the URI that was not read.
 */
export type ItemDetails = {
  name: string | null
  description: string | null
  attributes: readonly ItemAttribute[]
  imitates: string | null
  picture: string | null
  missing: MissingPicture | null
  link: string | null
}

/** URLs of the user's gateways, ending in a slash; null if not set. */
export type GatewaysView = { ipfs: string | null; arweave: string | null }
