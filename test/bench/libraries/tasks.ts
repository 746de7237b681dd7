/** The measured work. Each library does it with its usual functions. */
import type * as evm from '@heliograph/shared/evm/index'
import * as ethers from 'ethers'
import { eip191Signer, Transaction as MicroTransaction, signTyped } from 'micro-eth-signer'
import { RLP } from 'micro-eth-signer/core/rlp.js'
import * as viem from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { key, keyHex, message, raw, rlp, signature, transaction, typedData } from './inputs.ts'

/** A task, and its result as text that is the same for all libraries. */
export type Task = { run: () => unknown; result: () => Promise<string> }

const task = <T>(run: () => T | Promise<T>, written: (value: T) => string = String): Task => ({
  run,
  result: async () => written(await run()),
})

/** Formats the fields of a transaction, ignoring the case of addresses and the types of numbers. */
const written = (...fields: readonly unknown[]): string => fields.map(String).join(' ').toLowerCase()

/** Formats nested lists of byte strings as JSON. */
const nested = (item: unknown): string =>
  JSON.stringify(item, (_, value) => (value instanceof Uint8Array ? viem.toHex(value) : value))

const { EIP712Domain: _, ...structs } = typedData.types
const { domain, primaryType } = typedData
const structsOfEthers = Object.fromEntries(Object.entries(structs).map(([name, fields]) => [name, [...fields]]))
const account = privateKeyToAccount(keyHex)
const wallet = new ethers.Wallet(keyHex)
const { type, gas, accessList, ...fields } = transaction

export const LIBRARIES = ['heliograph', 'viem', 'ethers', 'micro-eth-signer'] as const
export type LibraryName = (typeof LIBRARIES)[number]

/** Tasks by title, in the order of the table. A library has no task if it exports no function for it. */
export type Tasks = Readonly<Record<string, Readonly<Partial<Record<LibraryName, Task>>>>>

/** Returns the tasks. The caller loads our library, so that the published modules are measured, not the sources. */
export const tasksWith = (heliograph: typeof evm): Tasks => ({
  'sign a message': {
    heliograph: task(() => heliograph.signMessage(message, key, 'Ethereum')),
    viem: task(() => account.signMessage({ message: { raw: message } })),
    ethers: task(() => wallet.signMessageSync(message)),
    'micro-eth-signer': task(() => eip191Signer.sign(message, key, false)),
  },
  'recover the signer of a message': {
    heliograph: task(() => heliograph.recoverMessage(message, signature, 'Ethereum')),
    viem: task(() => viem.recoverMessageAddress({ message: { raw: message }, signature })),
    ethers: task(() => ethers.verifyMessage(message, signature)),
    'micro-eth-signer': task(() => eip191Signer.recoverAddress(signature, message)),
  },
  'sign and encode an EIP-1559 transaction': {
    heliograph: task(() => heliograph.signTransaction(transaction, key)),
    viem: task(() => account.signTransaction({ type, gas, ...fields, chainId: 1, nonce: 7, accessList: [] })),
    ethers: task(() => {
      const made = ethers.Transaction.from({ type: 2, gasLimit: gas, ...fields, nonce: 7, accessList: [] })
      made.signature = wallet.signingKey.sign(made.unsignedHash)
      return made.serialized
    }),
    'micro-eth-signer': task(() =>
      MicroTransaction.prepare({ type, gasLimit: gas, ...fields, accessList: [] })
        .signBy(key, false)
        .toHex(),
    ),
  },
  'decode a transaction': {
    heliograph: task(
      () => heliograph.decodeTransaction(raw).transaction,
      ({ nonce, gas, to, data }) => written(nonce, gas, to, data),
    ),
    viem: task(
      () => viem.parseTransaction(raw),
      ({ nonce, gas, to, data }) => written(nonce, gas, to, data),
    ),
    ethers: task(
      () => ethers.Transaction.from(raw),
      ({ nonce, gasLimit, to, data }) => written(nonce, gasLimit, to, data),
    ),
    'micro-eth-signer': task(
      () => MicroTransaction.fromHex(raw).raw,
      ({ nonce, gasLimit, to, data }) => written(nonce, gasLimit, to, data),
    ),
  },
  'hash typed data': {
    heliograph: task(() => heliograph.hashTypedData(heliograph.parseTypedData(typedData))),
    viem: task(() => viem.hashTypedData(typedData)),
    ethers: task(() => ethers.TypedDataEncoder.hash(domain, structsOfEthers, typedData.message)),
  },
  'sign typed data': {
    heliograph: task(() => heliograph.signTypedData(heliograph.parseTypedData(typedData), key)),
    viem: task(() => account.signTypedData(typedData)),
    ethers: task(
      () => wallet.signingKey.sign(ethers.TypedDataEncoder.hash(domain, structsOfEthers, typedData.message)),
      ({ serialized }) => serialized,
    ),
    'micro-eth-signer': task(() => signTyped({ ...typedData, primaryType }, key, false)),
  },
  'decode RLP': {
    heliograph: task(() => heliograph.decodeRlp(rlp), nested),
    viem: task(() => viem.fromRlp(rlp, 'bytes'), nested),
    ethers: task(() => ethers.decodeRlp(rlp), nested),
    'micro-eth-signer': task(() => RLP.decode(rlp), nested),
  },
})

/** Throws an error that names the task and all results if the libraries' results differ. */
export const checkResults = async (tasks: Tasks): Promise<void> => {
  for (const [title, byLibrary] of Object.entries(tasks)) {
    const results = await Promise.all(
      Object.entries(byLibrary).map(async ([name, { result }]) => [name, await result()]),
    )
    if (new Set(results.map(([, result]) => result)).size !== 1)
      throw new Error(`${title}: ${results.map(([name, result]) => `${name} ${result}`).join(', ')}`)
  }
}
