/** Deploys the contracts, and gives the accounts their assets. */
import {
  ACCOUNT,
  BALANCE,
  COLLECTIONS,
  COUNTERFEIT,
  ENTRY_POINT,
  EXECUTOR,
  FORWARDER,
  HOLDERS,
  KEEPERS,
  KNOWN_CHAIN,
  LISTED,
  MULTI_SEND,
  MULTICALL3,
  OWN_SAFE,
  OWNERS,
  PERMIT2S,
  PROPOSER,
  SAFE,
  SINGLETON,
  TOKENS,
  TRAP_COINS,
  TRAPS,
} from './addresses.ts'
import { encodeCall } from './encode.ts'
import type { Rpc } from './node.ts'
import { CHAIN_ID } from './permits.ts'

/** An account of the node that has coins. */
const DEPLOYER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const ETHER = 10n ** 18n
const SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const GAS = '0x1c9c380'

const word = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
const minimalProxy = (to: string) => `0x363d3d373d3d3d363d73${to.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`

const [lenientToken = '', strictToken = '', minimalToken = '', slotToken = ''] = TOKENS
const [lenientItems = '', strictItems = '', minimalItems = ''] = COLLECTIONS
const [lenientPermit2 = '', strictPermit2 = ''] = PERMIT2S

const named = (name: string, addresses: readonly string[]): [string, string][] =>
  addresses.map(address => [address, name])

const CONTRACTS: readonly (readonly [string, string])[] = [
  [lenientToken, 'LenientToken'],
  [strictToken, 'StrictToken'],
  [slotToken, 'Proxy'],
  [lenientItems, 'LenientCollection'],
  [strictItems, 'StrictCollection'],
  [lenientPermit2, 'LenientPermit2'],
  [strictPermit2, 'StrictPermit2'],
  ...named('ListedToken', [LISTED, COUNTERFEIT]),
  ...named('Safe', [SAFE, OWN_SAFE]),
  [ACCOUNT, 'Account'],
  [MULTI_SEND, 'MultiSend'],
  [MULTICALL3, 'Multicall3'],
  [ENTRY_POINT, 'EntryPoint'],
  [FORWARDER, 'Forwarder'],
  ...named('Keeper', KEEPERS),
  ...named('Trap', TRAPS),
]

type Start = readonly [to: string, signature: string, ...values: unknown[]]

const [owner] = OWNERS
const STARTS: readonly Start[] = [
  ...[...TOKENS, LISTED].map((token): Start => {
    const signature = 'start(address[],address,address[])'
    return [token, signature, [...HOLDERS, OWN_SAFE], FORWARDER, [...PERMIT2S, ...TRAPS]]
  }),
  ...COLLECTIONS.map((items): Start => [items, 'start(address[])', HOLDERS]),
  [SAFE, 'start(address,uint256)', owner, BigInt(CHAIN_ID)],
  [OWN_SAFE, 'start(address,uint256)', owner, BigInt(KNOWN_CHAIN)],
  [ACCOUNT, 'start(address,address)', owner, ENTRY_POINT],
  ...TRAPS.map(
    (trap, sign): Start => [trap, 'start(uint8,address[],uint256)', BigInt(sign), TOKENS.slice(0, 2), BALANCE],
  ),
]

const BALANCES: readonly (readonly [string, bigint])[] = [
  [SAFE, ETHER],
  [OWN_SAFE, ETHER],
  [ACCOUNT, ETHER],
  [EXECUTOR, BALANCE],
  ...OWNERS.map((address): [string, bigint] => [address, BALANCE]),
  ...TRAPS.map((address): [string, bigint] => [address, TRAP_COINS]),
]

/** Sets up the chain. Returns the time of its latest block, in seconds. */
export const setUpWorld = async (rpc: Rpc, contracts: ReadonlyMap<string, string>): Promise<number> => {
  await rpc('anvil_setCoinbase', [PROPOSER])
  for (const [address, name] of CONTRACTS) {
    const code = contracts.get(name)
    if (code === undefined) throw new Error(`no contract ${name}`)
    await rpc('anvil_setCode', [address, code])
  }
  await rpc('anvil_setCode', [minimalToken, minimalProxy(lenientToken)])
  await rpc('anvil_setCode', [minimalItems, minimalProxy(lenientItems)])
  await rpc('anvil_setStorageAt', [slotToken, SLOT, word(lenientToken)])
  await rpc('anvil_setStorageAt', [OWN_SAFE, `0x${'0'.repeat(64)}`, word(SINGLETON)])
  for (const [address, balance] of BALANCES) await rpc('anvil_setBalance', [address, `0x${balance.toString(16)}`])

  // All transactions are mined in one block, which the traps record as the latest block.
  await rpc('anvil_autoImpersonateAccount', [true])
  await rpc('evm_setAutomine', [false])
  const hashes: unknown[] = []
  for (const [to, signature, ...values] of STARTS) {
    const data = encodeCall(signature, values)
    hashes.push(await rpc('eth_sendTransaction', [{ from: DEPLOYER, to, data, gas: GAS }]))
  }
  await rpc('anvil_mine', ['0x1'])
  for (const [at, hash] of hashes.entries()) {
    const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as { status: string } | null
    if (receipt?.status !== '0x1') throw new Error(`${STARTS[at]?.slice(0, 2)} failed`)
  }
  const block = (await rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: string }
  return Number(block.timestamp)
}
