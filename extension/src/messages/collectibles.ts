/** Items of collections (ERC-721 and ERC-1155), as shown by the wallet's pages. */

/** A held item. `id` is decimal; `amount` is 1 for ERC-721. */
export type ItemView = { id: string; amount: string }

export type ItemAttribute = { name: string; value: string }

/**
 * Why an item has no picture: its contract or metadata names none; the person chose no gateway for it; it is on a web
 * server, which is not contacted; it is too large or of a form that is not shown; the gateway did not answer.
 */
export type MissingPicture = 'none' | 'noGateway' | 'web' | 'refused' | 'unreachable'

/**
 * Metadata of an item, truncated but otherwise untrusted; null if missing. `imitates` is a known token that the name
 * resembles. `picture` is a data: URL, `missing` is null if there is one. `link` is the URI that was not read.
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

/** URLs of the person's gateways, ending in a slash; null if there is none. */
export type GatewaysView = { ipfs: string | null; arweave: string | null }
