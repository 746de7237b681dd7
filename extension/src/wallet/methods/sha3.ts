/** web3_sha3: Keccak-256 of hex bytes (EIP-1474), computed by the wallet. */
import { decodeData, encodeData } from '@heliograph/shared/evm/hex'
import { nodeValues } from '@heliograph/shared/wire/node-values'
import { parseParams } from '@heliograph/shared/wire/params'
import { keccak_256 } from '@noble/hashes/sha3.js'
import * as v from 'valibot'
import type { Answering } from '../requests/context.ts'

const Params = v.tuple([nodeValues.data])

export const sha3: Answering = {
  answer: async (_, params) => {
    const [data] = parseParams(params, Params)
    return encodeData(keccak_256(decodeData(data)))
  },
}
