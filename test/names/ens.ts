/** Ethereum in tests: an anvil with chain id 1, the ENS registry at its usual address, and resolvers of four kinds. */
import { Contract, dnsEncode, ensNormalize, Interface, namehash } from 'ethers'
import { addressNamed } from '../fuzz/world.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { compileContracts } from '../support/compile.ts'

export const REGISTRY = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e'
export const RESOLVER = addressNamed('resolver')
export const WILDCARD = addressNamed('wildcard')
export const OFFCHAIN = addressNamed('offchain')

/** The first account of anvil. It can send transactions without a signature. */
const OPERATOR = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const CONTRACTS = [
  [REGISTRY, 'Registry'],
  [RESOLVER, 'Resolver'],
  [WILDCARD, 'Wildcard'],
  [OFFCHAIN, 'Offchain'],
] as const

const setters = new Interface([
  'function setResolver(bytes32 node, address target)',
  'function setAddr(bytes32 node, address target)',
  'function setCoin(bytes32 node, uint256 coinType, bytes target)',
  'function setName(bytes32 node, string text)',
  'function set(string[] gateways, address claimed, uint256 times)',
])

const RESOLVE = ['function resolve(bytes name, bytes data) view returns (bytes)']
const addr = new Interface(['function addr(bytes32 node) view returns (address)'])

export type Ens = {
  anvil: Anvil
  /**
   * Returns the address that ethers decodes from this resolver's response. `gateway` returns the gateways' response.
   */
  askWithEthers(resolver: string, name: string, gateway?: (callData: string) => string): Promise<string>
  setResolver(name: string, resolver: string): Promise<void>
  /** Registers a name and its address, with the resolver that has its own records. */
  register(name: string, address: string): Promise<void>
  /** Like `register`, for the node of any name, such as a name that is not normalized. */
  registerNode(node: string, address: string): Promise<void>
  setCoin(name: string, coinType: number, address: string): Promise<void>
  /** Sets an address's primary name, which may be any text. */
  setPrimary(address: string, name: string): Promise<void>
  /** Sets the offchain resolver's gateways, the sender that it claims to be, and how many lookups it requires. */
  setGateways(urls: readonly string[], claimed: string, rounds: number): Promise<void>
  balanceOf(address: string): Promise<bigint>
  /** Sets the code at an address. */
  setCode(address: string, code: string): Promise<void>
  stop(): Promise<void>
}

export const startEns = async (): Promise<Ens> => {
  const contracts = compileContracts('names/contracts')
  const anvil = await startAnvil({ chainId: 1, args: ['--hardfork', 'cancun'] })
  const provider = openChain(anvil.url)
  const setCode = async (address: string, code: string) => void (await provider.send('anvil_setCode', [address, code]))
  for (const [address, name] of CONTRACTS) await setCode(address, contracts.get(name) ?? '')

  const send = async (to: string, method: string, ...values: readonly unknown[]) => {
    const data = setters.encodeFunctionData(method, values)
    const hash = await provider.send('eth_sendTransaction', [{ from: OPERATOR, to, data }])
    const receipt = await provider.waitForTransaction(hash)
    if (receipt?.status !== 1) throw new Error(`${method} failed`)
  }
  const setResolver = (name: string, resolver: string) => send(REGISTRY, 'setResolver', namehash(name), resolver)
  const registerNode = async (node: string, address: string) => {
    await send(REGISTRY, 'setResolver', node, RESOLVER)
    await send(RESOLVER, 'setAddr', node, address)
  }

  return {
    anvil,
    askWithEthers: async (resolver, text, gateway) => {
      const name = ensNormalize(text)
      const question = addr.encodeFunctionData('addr', [namehash(name)])
      provider.ccipReadFetch = async (_, callData) => gateway?.(callData) ?? null
      const contract = new Contract(resolver, RESOLVE, provider)
      const answer = await contract.getFunction('resolve')(dnsEncode(name), question, { enableCcipRead: true })
      return addr.decodeFunctionResult('addr', answer)[0]
    },
    setResolver,
    register: (name, address) => registerNode(namehash(name), address),
    registerNode,
    setCoin: (name, coinType, address) => send(RESOLVER, 'setCoin', namehash(name), coinType, address),
    setPrimary: async (address, name) => {
      const record = `${address.slice(2).toLowerCase()}.addr.reverse`
      await setResolver(record, RESOLVER)
      await send(RESOLVER, 'setName', namehash(record), name)
    },
    setGateways: (urls, claimed, rounds) => send(OFFCHAIN, 'set', urls, claimed, rounds),
    balanceOf: address => provider.getBalance(address),
    setCode,
    stop: async () => {
      provider.destroy()
      await anvil.stop()
    },
  }
}
