/** The catalogue of commonly used tokens that ships with the wallet. */
import { toAddress } from '@heliograph/shared/evm/address'
import { byNetwork } from '../networks/by-network.ts'
import type { Asset } from './assets.ts'

/** Reads the catalogue's file: tokens by chain id, each as address, symbol and decimals, the most used ones first. */
export type TokenList = () => Promise<
  Readonly<Record<string, readonly (readonly [address: string, symbol: string, decimals: number])[]>>
>

/** Returns a network's listed tokens, the most used ones first. Empty if the catalogue lists none. */
export type ListedTokens = (chainId: number) => Promise<readonly Asset[]>

/** Reads the list once, and converts each network's tokens on first use. */
export const createListedTokens = (list: TokenList): ListedTokens =>
  byNetwork(list, (rows, chainId) =>
    rows.map(([address, symbol, decimals]) => ({ chainId, address: toAddress(address), symbol, decimals })),
  )
