/** A client whose reads of the latest block are reads of one certain block. */
import type { Hex } from '@heliograph/shared/evm/hex'
import { askAll, askAs, type Chain, chainUntil, type Question } from './node.ts'

const LATEST = 'latest'

/** Returns the same client, but with the block instead of the tag `latest`. */
export const pinChain = (chain: Chain, block: Hex): Chain => {
  const pin = (params: readonly unknown[] = []) => params.map(param => (param === LATEST ? block : param))
  const pinned = ({ method, params }: Question): Question => ({ method, params: pin(params) })
  const ask: Chain = (network, method, params) => chain(network, method, pin(params))
  return Object.assign(ask, {
    all: ((network, questions) => askAll(chain, network, questions.map(pinned))) satisfies Chain['all'],
    read: ((network, question, read) => askAs(chain, network, pinned(question), read)) satisfies Chain['read'],
    until: (signal: AbortSignal) => pinChain(chainUntil(chain, signal), block),
  })
}
