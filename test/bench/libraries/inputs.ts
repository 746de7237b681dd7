/** Inputs of the tasks, the same for all libraries. */
import { decodeData, type Hex } from '@heliograph/shared/evm/hex'
import { signMessage } from '@heliograph/shared/evm/message'
import { encodeRlp, type RlpItem } from '@heliograph/shared/evm/rlp'
import { type Eip1559Transaction, signTransaction } from '@heliograph/shared/evm/transaction'

export const keyHex: Hex = `0x${'07'.repeat(32)}`
export const key = decodeData(keyHex)

/** A sign-in message of usual length. */
const text = `example.org wants you to sign in with your Ethereum account. ${'Nonce 32891756. '.repeat(12)}`
export const message = new TextEncoder().encode(text)
export const signature = signMessage(message, key, 'Ethereum')

/** A call to a token's `transfer`. */
export const transaction: Eip1559Transaction & { to: Hex } = {
  type: 'eip1559',
  chainId: 1n,
  nonce: 7n,
  maxPriorityFeePerGas: 1_000_000_000n,
  maxFeePerGas: 30_000_000_000n,
  gas: 60_000n,
  to: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  value: 0n,
  data: `0xa9059cbb${'d8da6bf26964af9d7eed9e03e53415d37aa96045'.padStart(64, '0')}${'f4240'.padStart(64, '0')}`,
  accessList: [],
}
export const raw = signTransaction(transaction, key)

/** The example of EIP-712. */
export const typedData = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1n,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
} as const

/** Sixteen lists of four byte strings each. */
const item: RlpItem = Array.from({ length: 16 }, (_, at) => [1, 20, 32, 100].map(size => new Uint8Array(size).fill(at)))
export const rlp = encodeRlp(item)
