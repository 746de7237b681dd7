/** Reads a local chain in tests. */
import { setTimeout as pause } from 'node:timers/promises'
import { JsonRpcProvider } from 'ethers'

/**
 * Milliseconds between two reads of the pool, and the number of reads after which a transaction is assumed to stay
 * pending.
 */
const LOOK_AGAIN = 5
const MOST_LOOKS = 1_000

/**
 * anvil returns a transaction's hash before mining it. Reads therefore wait until earlier transactions are mined,
 * unless mining is manual.
 */
class MinedProvider extends JsonRpcProvider {
  override async send(method: string, params: unknown[] | Record<string, unknown>) {
    if (method.startsWith('eth_') && !method.startsWith('eth_send')) await this.#mined()
    return super.send(method, params)
  }

  async #mined(): Promise<void> {
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const [isMining, pool] = await Promise.all([super.send('anvil_getAutomine', []), super.send('txpool_status', [])])
      if (!isMining || Number(pool.pending) === 0) return
      await pause(LOOK_AGAIN)
    }
  }
}

/** Returns an uncached ethers provider for anvil at `url`. The caller destroys it. */
export const openChain = (url: string): JsonRpcProvider =>
  new MinedProvider(url, undefined, { staticNetwork: true, cacheTimeout: -1 })
