/** Tests a node and its chain id, and words the result. */

import { formatCount } from '../format/numbers.ts'
import { text } from '../format/text.ts'
import type { Client } from './client.svelte.ts'
import { errorText } from './errors.ts'

/**
 * Result of a test. `tone` is the class of the dot before the text. `chainId` is the node's own chain id; null if it
 * did not respond.
 */
export type Probe = { tone: '' | 'dot--bad' | 'dot--off'; says: string; chainId: number | null }

export const probing = (): Probe => ({ tone: 'dot--off', says: text('testing'), chainId: null })

/** Tests a node. `expected` is the chain id that it should report; null accepts any. Never throws. */
export const probeNode = async (client: Client, rpcUrl: string, expected: number | null): Promise<Probe> => {
  const began = performance.now()
  try {
    const { chainId, block } = await client.call('probeRpc', { rpcUrl })
    if (expected !== null && chainId !== expected)
      return { tone: 'dot--bad', says: text('wrongNetwork', chainId), chainId }
    const took = formatCount(Math.max(1, Math.round(performance.now() - began)))
    return { tone: '', says: text('reachable', took, formatCount(Number(block))), chainId }
  } catch (failure) {
    return { tone: 'dot--bad', says: errorText(failure), chainId: null }
  }
}
