/** eth_chainId, EIP-695, and net_version: the same number, once as QUANTITY and once in decimal. */
import { fromQuantity } from '@heliograph/shared/evm/hex'
import type { Answering } from '../method.ts'

export const chainId: Answering = { answer: async ({ network }) => fromQuantity(network.chainId) }

export const netVersion: Answering = { answer: async ({ network }) => String(network.chainId) }
