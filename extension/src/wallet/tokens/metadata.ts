/** Reads token metadata from a contract: https://eips.ethereum.org/EIPS/eip-20 */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { decodeArguments } from '@heliograph/shared/evm/abi-decode'
import type { Address } from '@heliograph/shared/evm/address'
import { decodeData } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { Chain } from '../networks/node.ts'

/** Null if the contract did not answer in the standard form. */
export type TokenFacts = { symbol: string | null; decimals: number | null }

const SYMBOL = '0x95d89b41'
const DECIMALS = '0x313ce567'
/** Return values are decoded like function arguments. */
const { parameters: text } = parseFunction('answer(string value)')
const { parameters: small } = parseFunction('answer(uint8 value)')

export const readToken = async (chain: Chain, network: Network, address: Address): Promise<TokenFacts> => {
  const read = async (data: string, parameters: typeof text): Promise<string | null> => {
    try {
      const answer = await chain(network, 'eth_call', [{ to: address, data }, 'latest'])
      return String(decodeArguments(decodeData(answer), parameters)[0]?.value)
    } catch {
      return null
    }
  }
  const [symbol, decimals] = await Promise.all([read(SYMBOL, text), read(DECIMALS, small)])
  return { symbol, decimals: decimals === null ? null : Number(decimals) }
}
