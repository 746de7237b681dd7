/** A local chain as tests look at it. */
import { setTimeout as pause } from 'node:timers/promises'
import { JsonRpcProvider } from 'ethers'

const LOOK_AGAIN = 5
/** Milliseconds until a transaction is taken for one that stays in the pool. */
const LONGEST = 5_000

/**
 * anvil tells the hash of a transaction before it is in a block: here what reads the chain waits until all that was sent
 * before is in one, unless the chain is told when to mine.
 */
class MinedProvider extends JsonRpcProvider {
  override async send(method: string, params: unknown[] | Record<string, unknown>) {
    if (method.startsWith('eth_') && !method.startsWith('eth_send')) await this.#mined()
    return super.send(method, params)
  }

  async #mined(): Promise<void> {
    for (const until = performance.now() + LONGEST; performance.now() < until; await pause(LOOK_AGAIN)) {
      const [isMining, pool] = await Promise.all([super.send('anvil_getAutomine', []), super.send('txpool_status', [])])
      if (!isMining || Number(pool.pending) === 0) return
    }
  }
}

/** Asks anvil at `url`, each time anew. It is to be destroyed. */
export const openChain = (url: string): JsonRpcProvider =>
  new MinedProvider(url, undefined, { staticNetwork: true, cacheTimeout: -1 })
