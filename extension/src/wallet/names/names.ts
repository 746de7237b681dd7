/** Resolves ENS names to addresses and back, with the Ethereum node that the user chose. */
import { RpcError } from '@heliograph/shared/errors'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { isHex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { NameView } from '../../messages.ts'
import type { Networks } from '../networks/networks.ts'
import { type Chain, chainUntil } from '../networks/node.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import { rpcError } from '../text/errors.ts'
import {
  addrCall,
  addrOfCoinCall,
  nameCall,
  toAnsweredAddress,
  toAnsweredAddressOfCoin,
  toAnsweredText,
} from './calls.ts'
import { checkName, NO_ADDRESS } from './checked-name.ts'
import { normalizeName, toEnsName } from './ens-name.ts'
import { type AskGateway, fetchFromGateway } from './gateways.ts'
import { askResolver, type EnsParts } from './resolver.ts'

/** Chain of the ENS registry. Testnets have registries of their own, with unrelated names. */
const ENS_CHAIN = 1
/** Base of the coin types for other EVM chains: https://docs.ens.domains/ensip/11 */
const EVM_COIN = 0x80000000
/** Maximum duration of a lookup in ms, including all its queries. */
const PATIENCE = 20_000
/** Maximum duration in ms of a lookup that the user did not request. */
const SHORT_PATIENCE = 5_000
/** Maximum number of cached names of addresses, and how long they are cached, in ms. */
export const MAX_KEPT = 200
export const KEPT_FOR = 10 * 60_000
/** Code prefix of an account that delegates to a contract: https://eips.ethereum.org/EIPS/eip-7702 */
const DESIGNATOR = '0xef0100'

export type Resolved = NameView & { address: Address }

export type Names = {
  /**
   * Returns a name's address on a network. If the name has no address for a network other than Ethereum, returns its
   * address on Ethereum, unless that is a contract there. Throws an error for the user: no Ethereum node, not a name,
   * no address, or an off-chain name. With a node for comparing, the result tells how the address was checked. The node
   * is asked on behalf of `account`.
   */
  resolve(text: string, chainId: number, account?: string): Promise<Resolved>
  /** Like `resolve`, but with a short timeout, and without gateways and a second node. Undefined if that fails. */
  resolveQuietly(name: string, chainId: number, account?: string): Promise<Resolved | undefined>
  /**
   * Returns the name that the address's owner set on Ethereum, if it resolves to the address. Never throws, and queries
   * no gateways.
   */
  nameOf(address: Address): Promise<string | null>
}

export type NamesParts = {
  chain: Chain
  networks: Pick<Networks, 'list' | 'get'>
  /** True if the user allows queries to gateways: https://eips.ethereum.org/EIPS/eip-3668 */
  readsOffchain(): Promise<boolean>
  now(): number
  askGateway?: AskGateway
}

type Lookup = EnsParts & { chainId: number; title: string }

const addressOnEthereum = async (parts: EnsParts, name: string) => {
  const { answer, hosts } = await askResolver(parts, name, addrCall(name))
  return { address: toAnsweredAddress(answer), hosts }
}

/** Returns the name's address for a chain: https://docs.ens.domains/ensip/9 */
const addressOnChain = async (parts: EnsParts, name: string, chainId: number) => {
  // Larger chain ids have no coin type, so a name cannot have an address for them.
  if (chainId >= EVM_COIN) return { address: undefined, hosts: [] }
  const { answer, hosts } = await askResolver(parts, name, addrOfCoinCall(name, EVM_COIN + chainId))
  return { address: toAnsweredAddressOfCoin(answer), hosts }
}

/**
 * False if the address has no code on Ethereum, or only a delegation. In these cases a key controls the address, on
 * every network.
 */
const isContract = async ({ chain, network }: EnsParts, address: Address): Promise<boolean> => {
  const code = await chain(network, 'eth_getCode', [address, 'latest'])
  return !isHex(code) || (code !== '0x' && !code.startsWith(DESIGNATOR))
}

/** Resolves a name. Throws if it has no usable address. */
const lookUp = async (parts: Lookup, name: string): Promise<Resolved> => {
  const { chainId, title } = parts
  if (chainId !== ENS_CHAIN) {
    const own = await addressOnChain(parts, name, chainId)
    if (own.address !== undefined) return { name, address: own.address, isOfEthereum: false, hosts: own.hosts }
  }
  const { address, hosts } = await addressOnEthereum(parts, name)
  if (address === undefined) throw rpcError('invalidInput', 'nameWithoutAddress', { name })
  const isOfEthereum = chainId !== ENS_CHAIN
  if (isOfEthereum && (await isContract(parts, address)))
    throw rpcError('invalidInput', 'nameOnlyOnEthereum', { name, network: title })
  return { name, address, isOfEthereum, hosts }
}

/** Looks up a name's address on one node, without gateways. Throws like `lookUp`, unless the name has no address. */
const addressAt = async (parts: Lookup, name: string): Promise<string> => {
  try {
    return (await lookUp(parts, name)).address
  } catch (error) {
    if (error instanceof RpcError && error.reason === 'nameWithoutAddress') return NO_ADDRESS
    throw error
  }
}

export const createNames = (parts: NamesParts): Names => {
  const { chain, networks, readsOffchain, now, askGateway = fetchFromGateway } = parts
  const kept = new Map<string, { name: string | null; at: number }>()

  /** Returns Ethereum if the user has chosen a node for it. */
  const ethereum = async (account: string | null): Promise<Network | undefined> => {
    const found = (await networks.list()).find(({ chainId, rpcUrls }) => chainId === ENS_CHAIN && rpcUrls.length > 0)
    return found && onBehalfOf(found, account)
  }

  const within = (network: Network, time: number): EnsParts => {
    const signal = AbortSignal.timeout(time)
    return { chain: chainUntil(chain, signal), network, askGateway: null, signal }
  }

  const readName = async (ens: EnsParts, address: Address): Promise<string | null> => {
    const record = `${address.slice(2).toLowerCase()}.addr.reverse`
    const { answer } = await askResolver(ens, record, nameCall(record))
    const name = toAnsweredText(answer)
    // A reverse record can hold any text, such as another owner's name or a look-alike. So the name must be normalized
    // and resolve to this address.
    if (name === undefined || normalizeName(name) !== name) return null
    const found = await addressOnEthereum(ens, name)
    return found.address !== undefined && sameAddress(found.address, address) ? name : null
  }

  const keep = (address: Address, name: string | null) => {
    kept.delete(address)
    kept.set(address, { name, at: now() })
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  }

  return {
    resolve: async (text, chainId, account) => {
      const name = toEnsName(text)
      const network = await ethereum(account ?? null)
      if (!network) throw rpcError('chainDisconnected', 'noEthereumNode')
      const { title } = await networks.get(chainId)
      const asked = (await readsOffchain()) ? askGateway : null
      const ens = { ...within(network, PATIENCE), chainId, title }
      const found = lookUp({ ...ens, askGateway: asked }, name)
      const checked = await checkName(ens, name, found, place => addressAt({ ...ens, ...place }, name))
      return { ...(await found), ...(checked && { checked }) }
    },
    resolveQuietly: async (name, chainId, account) => {
      const network = await ethereum(account ?? null)
      if (!network) return undefined
      return lookUp({ ...within(network, SHORT_PATIENCE), chainId, title: '' }, name).catch(() => undefined)
    },
    nameOf: async address => {
      const network = await ethereum(address)
      if (!network) return null
      const known = kept.get(address)
      if (known && now() - known.at < KEPT_FOR) return known.name
      const name = await readName(within(network, SHORT_PATIENCE), address).catch(() => undefined)
      if (name === undefined) return null
      keep(address, name)
      return name
    },
  }
}
