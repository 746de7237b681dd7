/** Reads a local chain in tests. */
import { setTimeout as pause } from 'node:timers/promises'
import { JsonRpcProvider } from 'ethers'

const LOOK_AGAIN = 5
/** Milliseconds after which a transaction is assumed to stay in the pool. */
const LONGEST = 5_000

/**
 * anvil returns the hash of a transaction before it is mined. So reads wait until earlier transactions are mined,
 * unless mining is manual.
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

/** An uncached ethers provider for anvil at `url`. The caller destroys it. */
export const openChain = (url: string): JsonRpcProvider =>
  new MinedProvider(url, undefined, { staticNetwork: true, cacheTimeout: -1 })
