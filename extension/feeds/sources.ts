/** The packages from which the catalogue of price feeds is built. */

import type { PackageVersion } from '../contracts/packages.ts'
import { AAVE_ADDRESS_BOOK } from '../contracts/sources/aave.ts'

/** Chainlink's package, with the feeds of all networks. */
export const CHAINLINK: PackageVersion = {
  name: '@chainlink/mcp-server',
  version: '0.0.1-alpha.17',
  integrity: 'sha512-lKWXnmWnMWQZ++mdOCFy6p0Z2UhfPtxVi/hEheafbUhpWk1LajN3DGWpLRZlYG/xBNhxWCPdQ6Naf16gxAj/fQ==',
}

/** Aave's address book, with tokens and feeds. */
export const TOKENS: PackageVersion = AAVE_ADDRESS_BOOK

const titleOf = ({ name, version }: PackageVersion): string => `${name} ${version}`

/** Names of both packages, as the file has them. */
export const FEED_SOURCES = `${titleOf(CHAINLINK)}, ${titleOf(TOKENS)}`
