/** A chain with tokens and accounts of several kinds, on which requests are executed. */
import { getAddress, keccak256, toUtf8Bytes } from 'ethers'
import { ADDRESS, SECOND } from '../../extension/src/wallet/wallet.fixture.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { compileContracts } from '../support/compile.ts'
import { encodeCall } from './encode.ts'

/** A call with `data` as hex. */
export type Sent = { to: string; value: bigint; data: string }
/** A value read after the calls of a case: a word of a contract, or the balance of an address if there is no data. */
export type Probe = { to: string; data: string }
/** Calls executed as `actor`, and the values read afterwards. */
export type Scene = { actor: string; acts: readonly Sent[]; probes: readonly Probe[] }

export const addressNamed = (name: string): string => getAddress(`0x${keccak256(toUtf8Bytes(name)).slice(-40)}`)

/** The accounts that sites may use, and the contracts that act for the first. */
export const OWNERS = [ADDRESS, SECOND] as const
export const SAFE = addressNamed('safe')
export const ACCOUNT = addressNamed('account')
export const HOLDERS: readonly string[] = [...OWNERS, SAFE, ACCOUNT]

export const ZERO = `0x${'0'.repeat(40)}`
/** The adversary: gets allowances, items and coins. */
export const SPENDER = addressNamed('spender')
/** An address known to the wallet, and the adversary's address that is shortened to the same text. */
export const FRIEND = getAddress(addressNamed('friend'))
export const LOOKALIKE = getAddress(
  `${FRIEND.slice(0, 6)}${addressNamed('lookalike').slice(6, -4)}${FRIEND.slice(-4)}`.toLowerCase(),
)

/** Contracts of each kind, the most lenient one first, and each also behind proxies. */
export const TOKENS = ['lenient', 'strict', 'minimal proxy', 'slot proxy'].map(kind => addressNamed(`token ${kind}`))
export const COLLECTIONS = ['lenient', 'strict', 'minimal proxy'].map(kind => addressNamed(`collection ${kind}`))
export const PERMIT2S = ['lenient', 'strict'].map(kind => addressNamed(`permit2 ${kind}`))
export const MULTI_SEND = addressNamed('multi send')
export const ENTRY_POINT = addressNamed('entry point')
export const FORWARDER = addressNamed('forwarder')

const MAX = (1n << 256n) - 1n
const SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
/** Number of cases per request to the chain. */
const AT_ONCE = 50
const GAS = 0x2_0000_0000

const minimalProxy = (to: string) => `0x363d3d373d3d3d363d73${to.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`

const OBSERVE = 'observe(((address,uint256,bytes)[],(address,uint256,bytes)[])[])'

/** The words of `uint256[][]`, as the observer returns it. */
const wordLists = (answer: string): bigint[][] => {
  const word = (at: number) => BigInt(`0x${answer.slice(2 + 2 * at, 66 + 2 * at)}`)
  const start = Number(word(0))
  const listAt = (at: number) => Array.from({ length: Number(word(at)) }, (_, index) => word(at + 32 + 32 * index))
  return Array.from({ length: Number(word(start)) }, (_, index) =>
    listAt(start + 32 + Number(word(start + 32 + 32 * index))),
  )
}

export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>

const openRpc =
  (url: string): Rpc =>
  async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

export type World = {
  rpc: Rpc
  /** The values of each scene's probes after its calls. Every scene starts from the same state of the chain. */
  observe(scenes: readonly Scene[]): Promise<readonly (readonly bigint[])[]>
  stop(): Promise<void>
}

const build = async (rpc: Rpc, contracts: ReadonlyMap<string, string>) => {
  const codeOf = (name: string) => {
    const code = contracts.get(name)
    if (code === undefined) throw new Error(`no contract ${name}`)
    return code
  }
  const put = (address: string, code: string) => rpc('anvil_setCode', [address, code])
  const sendAs = async (from: string, to: string, signature: string, ...values: unknown[]) => {
    const hash = await rpc('eth_sendTransaction', [{ from, to, data: encodeCall(signature, values), gas: '0x1c9c380' }])
    // The hash is told before the block is there.
    let receipt: unknown = null
    while (receipt === null) receipt = await rpc('eth_getTransactionReceipt', [hash])
    if ((receipt as { status: string }).status !== '0x1') throw new Error(`${signature} of ${to} failed`)
  }
  const [lenientToken = '', strictToken = '', minimalToken = '', slotToken = ''] = TOKENS
  const [lenientItems = '', strictItems = '', minimalItems = ''] = COLLECTIONS
  const [lenientPermit2 = '', strictPermit2 = ''] = PERMIT2S
  await put(lenientToken, codeOf('LenientToken'))
  await put(strictToken, codeOf('StrictToken'))
  await put(minimalToken, minimalProxy(lenientToken))
  await put(slotToken, codeOf('Proxy'))
  await rpc('anvil_setStorageAt', [slotToken, SLOT, `0x${lenientToken.slice(2).padStart(64, '0')}`])
  await put(lenientItems, codeOf('LenientCollection'))
  await put(strictItems, codeOf('StrictCollection'))
  await put(minimalItems, minimalProxy(lenientItems))
  await put(lenientPermit2, codeOf('LenientPermit2'))
  await put(strictPermit2, codeOf('StrictPermit2'))
  for (const [address, name] of [
    [SAFE, 'Safe'],
    [ACCOUNT, 'Account'],
    [MULTI_SEND, 'MultiSend'],
    [ENTRY_POINT, 'EntryPoint'],
    [FORWARDER, 'Forwarder'],
  ] as const)
    await put(address, codeOf(name))
  await rpc('anvil_setBalance', [SAFE, '0xde0b6b3a7640000'])
  await rpc('anvil_setBalance', [ACCOUNT, '0xde0b6b3a7640000'])
  await rpc('anvil_autoImpersonateAccount', [true])
  for (const token of TOKENS) await sendAs(ADDRESS, token, 'start(address[],address)', HOLDERS, FORWARDER)
  for (const items of COLLECTIONS) await sendAs(ADDRESS, items, 'start(address[])', HOLDERS)
  await sendAs(ADDRESS, SAFE, 'start(address)', ADDRESS)
  await sendAs(ADDRESS, ACCOUNT, 'start(address,address)', ADDRESS, ENTRY_POINT)
  for (const holder of HOLDERS)
    for (const token of TOKENS)
      for (const permit2 of PERMIT2S) await sendAs(holder, token, 'approve(address,uint256)', permit2, MAX)
}

/** Starts the chain. The observer stands at the address of whoever acts, for the one call in which it looks. */
export const startWorld = async (): Promise<World> => {
  const contracts = compileContracts('fuzz/contracts')
  const code = contracts.get('Observer')
  const anvil: Anvil = await startAnvil({ args: ['--hardfork', 'cancun', '--gas-limit', String(GAS)] })
  const rpc = openRpc(anvil.url)
  await build(rpc, contracts)

  const observeOf = async (actor: string, scenes: readonly Scene[]): Promise<readonly bigint[][]> => {
    const cases = scenes.map(({ acts, probes }) => [
      acts.map(act => [act.to, act.value, act.data]),
      probes.map(probe => [probe.to, 0n, probe.data]),
    ])
    const data = encodeCall(OBSERVE, [cases])
    const asked = { from: actor, to: actor, data, gas: `0x${GAS.toString(16)}` }
    const answer = await rpc('eth_call', [asked, 'latest', { [actor]: { code } }])
    return wordLists(String(answer))
  }

  const observe: World['observe'] = async scenes => {
    const results: (readonly bigint[])[] = []
    for (const actor of new Set(scenes.map(scene => scene.actor))) {
      const own = [...scenes.entries()].filter(([, scene]) => scene.actor === actor)
      for (let from = 0; from < own.length; from += AT_ONCE) {
        const lot = own.slice(from, from + AT_ONCE)
        const observed = await observeOf(
          actor,
          lot.map(([, scene]) => scene),
        )
        for (const [at, [index]] of lot.entries()) results[index] = observed[at] ?? []
      }
    }
    return results
  }

  return { rpc, observe, stop: anvil.stop }
}
