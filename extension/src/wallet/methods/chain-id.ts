/** eth_chainId (EIP-695): the chain id in hex. net_version: the same number in decimal. */
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import type { Answering } from '../requests/context.ts'

export const chainId: Answering = { answer: async ({ network }) => encodeQuantity(network.chainId) }

export const netVersion: Answering = { answer: async ({ network }) => String(network.chainId) }
