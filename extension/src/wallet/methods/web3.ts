/** web3_clientVersion and web3_sha3 (EIP-1474), which the wallet answers itself. */
import { decodeData, encodeData } from '@heliograph/shared/evm/hex'
import { nodeValues, parseParams } from '@heliograph/shared/wire/params'
import { keccak_256 } from '@noble/hashes/sha3.js'
import * as v from 'valibot'
import type { Answering } from '../requests/context.ts'

/** web3_clientVersion: the wallet's name and version, in the format of nodes. */
export const clientVersion: Answering = { answer: async ({ version }) => `Heliograph/v${version}` }

const Params = v.tuple([nodeValues.data])

/** web3_sha3: Keccak-256 of hex bytes. */
export const sha3: Answering = {
  answer: async (_, params) => {
    const [data] = parseParams(params, Params)
    return encodeData(keccak_256(decodeData(data)))
  },
}
