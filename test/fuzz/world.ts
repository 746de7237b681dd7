/** A chain with tokens and accounts of several kinds, on which requests are executed. */
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { compileContracts } from '../support/compile.ts'
import { encodeCall } from './encode.ts'
import { executeMined } from './mined.ts'
import { createNode, type Rpc } from './node.ts'
import { GAS_LIMIT, type Mined } from './signs.ts'
import { setUpWorld } from './world-setup.ts'

export { addressNamed } from './addresses.ts'

/** A call with `data` as hex. `gas` and `fees` are the values that the wallet would sign. */
export type Sent = { to: string; value: bigint; data: string; gas?: string; fees?: Readonly<Record<string, string>> }
/**
 * A value that is read after the calls of a case: a word that a contract returns, or an address's balance if `data` is
 * empty.
 */
export type Probe = { to: string; data: string }
/**
 * Calls that `actor` makes, and values that are read afterwards. With `mined`, each call is a transaction in its own
 * block. Otherwise all calls are made within one `eth_call`.
 */
export type Scene = { actor: string; acts: readonly Sent[]; probes: readonly Probe[]; mined?: Mined }

/** Number of cases per request to the chain. */
const AT_ONCE = 50

const OBSERVE = 'observe(((address,uint256,bytes)[],(address,uint256,bytes)[])[])'

/** Decodes `uint256[][]`, as the observer returns it. */
const wordLists = (answer: string): bigint[][] => {
  const word = (at: number) => BigInt(`0x${answer.slice(2 + 2 * at, 66 + 2 * at)}`)
  const start = Number(word(0))
  const listAt = (at: number) => Array.from({ length: Number(word(at)) }, (_, index) => word(at + 32 + 32 * index))
  return Array.from({ length: Number(word(start)) }, (_, index) =>
    listAt(start + 32 + Number(word(start + 32 + 32 * index))),
  )
}

export type World = {
  rpc: Rpc
  /** Returns the values of each scene's probes after its calls. Every scene starts from the same state of the chain. */
  observe(scenes: readonly Scene[]): Promise<readonly (readonly bigint[])[]>
  stop(): Promise<void>
}

/** Starts the chain. In the call that observes a scene, the observer's code replaces the actor's code. */
export const startWorld = async (): Promise<World> => {
  const contracts = compileContracts('fuzz/contracts')
  const code = contracts.get('Observer')
  const anvil: Anvil = await startAnvil({ args: ['--hardfork', 'cancun', '--gas-limit', String(GAS_LIMIT)] })
  const node = createNode(anvil.url)
  const time = await setUpWorld(node.rpc, contracts)

  const observeOf = async (rpc: Rpc, actor: string, scenes: readonly Scene[]): Promise<readonly bigint[][]> => {
    const cases = scenes.map(({ acts, probes }) => [
      acts.map(act => [act.to, act.value, act.data]),
      probes.map(probe => [probe.to, 0n, probe.data]),
    ])
    const data = encodeCall(OBSERVE, [cases])
    const asked = { from: actor, to: actor, data, gas: `0x${GAS_LIMIT.toString(16)}` }
    const answer = await rpc('eth_call', [asked, 'latest', { [actor]: { code } }])
    return wordLists(String(answer))
  }

  /** Returns the probes' values after transactions in blocks, which are then reverted. */
  const observeMined = (scene: Scene, mined: Mined): Promise<readonly bigint[]> =>
    node.alone(async rpc => {
      const read = async () => (await observeOf(rpc, scene.actor, [{ ...scene, acts: [] }]))[0] ?? []
      return executeMined(rpc, { ...scene, mined, time }, read)
    })

  const observe: World['observe'] = async scenes => {
    const results: (readonly bigint[])[] = []
    for (const actor of new Set(scenes.map(scene => scene.actor))) {
      const own = [...scenes.entries()].filter(([, scene]) => scene.actor === actor && !scene.mined)
      for (let from = 0; from < own.length; from += AT_ONCE) {
        const lot = own.slice(from, from + AT_ONCE)
        const observed = await observeOf(
          node.rpc,
          actor,
          lot.map(([, scene]) => scene),
        )
        for (const [at, [index]] of lot.entries()) results[index] = observed[at] ?? []
      }
    }
    for (const [index, scene] of scenes.entries())
      if (scene.mined) results[index] = await observeMined(scene, scene.mined)
    return results
  }

  return { rpc: node.rpc, observe, stop: anvil.stop }
}
