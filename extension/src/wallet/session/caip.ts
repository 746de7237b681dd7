/**
 * Parses chain and account ids: `eip155:1` (CAIP-2), `eip155:1:0x…` (CAIP-10). https://chainagnostic.org/CAIPs/caip-2,
 * https://chainagnostic.org/CAIPs/caip-10
 */
import { type Address, fromChainCase, toAddress } from '@heliograph/shared/evm/address'

/** Namespace of chains that have an EIP-155 chain id. */
export const EIP155 = 'eip155'

const NAMESPACE = /^[-a-z0-9]{3,8}$/
const CHAIN = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/
const EIP155_CHAIN = /^eip155:([1-9]\d{0,15})$/

export const isNamespace = (text: string): boolean => NAMESPACE.test(text)
export const isChain = (text: string): boolean => CHAIN.test(text)

/** Returns the namespace of a chain id or a namespace key: `eip155` for both `eip155:1` and `eip155`. */
export const namespaceOf = (name: string): string => name.split(':', 1)[0] ?? ''

export const chainOf = (chainId: number): string => `${EIP155}:${chainId}`

/** Returns the EIP-155 chain id. Undefined for other namespaces. */
export const chainIdOf = (chain: string): number | undefined => {
  const [, digits] = EIP155_CHAIN.exec(chain) ?? []
  const chainId = Number(digits)
  return Number.isSafeInteger(chainId) ? chainId : undefined
}

export const accountOf = (chainId: number, address: Address): string => `${chainOf(chainId)}:${address}`

/** Parses an EIP-155 account. Returns undefined for anything else. */
export const parseAccount = (account: string): { chain: string; address: Address } | undefined => {
  const [namespace = '', reference = '', address = '', ...rest] = account.split(':')
  const chain = `${namespace}:${reference}`
  const chainId = chainIdOf(chain)
  if (rest.length > 0 || chainId === undefined) return undefined
  try {
    return { chain, address: toAddress(fromChainCase(address, chainId)) }
  } catch {
    return undefined
  }
}
