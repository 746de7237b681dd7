/**
 * Three small programs for each library, whose bundle sizes are measured. Each prints what it signs with a key from the
 * page.
 */
import type { LibraryName } from './tasks.ts'

const transaction = (gas: string, type: string) =>
  `{ type: ${type}, chainId: 1n, nonce: globalThis.nonce, maxPriorityFeePerGas: 1n, maxFeePerGas: 2n, ${gas}: 21000n,
    to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 1n, data: '0x', accessList: [] }`

const heliograph: Programs = {
  'sign a message': `
    import { signMessage } from '@heliograph/evm/message'
    console.log(signMessage(globalThis.message, globalThis.key, 'Ethereum'))`,
  'sign a transaction': `
    import { signTransaction } from '@heliograph/evm/transaction'
    console.log(signTransaction(${transaction('gas', "'eip1559'")}, globalThis.key))`,
  'sign typed data': `
    import { parseTypedData, signTypedData } from '@heliograph/evm/typed-data'
    console.log(signTypedData(parseTypedData(globalThis.data), globalThis.key))`,
}

const viem: Programs = {
  'sign a message': `
    import { signMessage } from 'viem/accounts'
    console.log(await signMessage({ message: { raw: globalThis.message }, privateKey: globalThis.key }))`,
  'sign a transaction': `
    import { signTransaction } from 'viem/accounts'
    const transaction = ${transaction('gas', "'eip1559'")}
    console.log(await signTransaction({ transaction, privateKey: globalThis.key }))`,
  'sign typed data': `
    import { signTypedData } from 'viem/accounts'
    console.log(await signTypedData({ ...globalThis.data, privateKey: globalThis.key }))`,
}

const ethers: Programs = {
  'sign a message': `
    import { hashMessage, SigningKey } from 'ethers'
    console.log(new SigningKey(globalThis.key).sign(hashMessage(globalThis.message)).serialized)`,
  'sign a transaction': `
    import { SigningKey, Transaction } from 'ethers'
    const transaction = Transaction.from(${transaction('gasLimit', '2')})
    transaction.signature = new SigningKey(globalThis.key).sign(transaction.unsignedHash)
    console.log(transaction.serialized)`,
  'sign typed data': `
    import { SigningKey, TypedDataEncoder } from 'ethers'
    const { domain, types, message } = globalThis.data
    console.log(new SigningKey(globalThis.key).sign(TypedDataEncoder.hash(domain, types, message)).serialized)`,
}

const micro: Programs = {
  'sign a message': `
    import { eip191Signer } from 'micro-eth-signer'
    console.log(eip191Signer.sign(globalThis.message, globalThis.key, false))`,
  'sign a transaction': `
    import { Transaction } from 'micro-eth-signer'
    console.log(Transaction.prepare(${transaction('gasLimit', "'eip1559'")}).signBy(globalThis.key, false).toHex())`,
  'sign typed data': `
    import { signTyped } from 'micro-eth-signer'
    console.log(signTyped(globalThis.data, globalThis.key, false))`,
}

export const PROGRAMS = ['sign a message', 'sign a transaction', 'sign typed data'] as const
type Programs = Readonly<Record<(typeof PROGRAMS)[number], string>>

/** Source code by library and title. */
export const programs: Readonly<Record<LibraryName, Programs>> = { heliograph, viem, ethers, 'micro-eth-signer': micro }
