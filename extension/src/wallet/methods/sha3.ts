/** web3_sha3: Keccak-256 of bytes in hex, EIP-1474. The wallet computes it, so no node is asked. */
import { fromBytes, toBytes } from '@heliograph/shared/evm/hex'
import { nodeValues } from '@heliograph/shared/wire/node-values'
import { parseParams } from '@heliograph/shared/wire/params'
import { keccak_256 } from '@noble/hashes/sha3.js'
import * as v from 'valibot'
import type { Answering } from '../method.ts'

const Params = v.strictTuple([nodeValues.data])

export const sha3: Answering = {
  answer: async (_, params) => {
    const [data] = parseParams(Params, params)
    return fromBytes(keccak_256(toBytes(data)))
  },
}
