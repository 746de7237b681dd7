/** Transactions, tested with `transactions.json` and `raw-transactions.json`, which name their sources. */
import { decodeData } from '@heliograph/shared/evm/hex'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import {
  decodeTransaction,
  encodeTransaction,
  hashTransaction,
  recoverTransaction,
  signTransaction,
  type Transaction,
} from '@heliograph/shared/evm/transaction'
import { completeTransaction, parseTransaction } from '@heliograph/shared/evm/transaction-request'
import { describe, expect, test } from 'vitest'
import raw from './raw-transactions.json' with { type: 'json' }
import vectors from './transactions.json' with { type: 'json' }

type Case = { privateKey: string; unsigned: string; signed: string }

const expectBothForms = (transaction: Transaction, { privateKey, unsigned, signed }: Case): void => {
  expect(encodeTransaction(transaction)).toBe(unsigned)
  expect(signTransaction(transaction, decodeData(privateKey))).toBe(signed)
  expect(decodeTransaction(unsigned)).toEqual({ transaction })
  expect(decodeTransaction(signed).transaction).toEqual(transaction)
  expect(recoverTransaction(signed)).toBe(addressOfPrivateKey(decodeData(privateKey)))
}

describe('from JSON to signed bytes and back', () => {
  test.each(vectors.valid)('$name', ({ request, ...expected }) => {
    expectBothForms(completeTransaction(parseTransaction(request)), expected)
  })

  test.each(vectors.unprotected)('$name, before EIP-155', ({ request, ...expected }) => {
    const { chainId, ...unprotected } = completeTransaction(parseTransaction(request))
    expectBothForms(unprotected as Transaction, expected)
  })

  test.each(vectors.invalid)('refuses $note', ({ raw, error }) => {
    expect(() => decodeTransaction(raw)).toThrow(expect.objectContaining({ message: error }))
  })
})

describe('raw', () => {
  test.each(raw.valid)('$name', ({ raw, hash, sender }) => {
    const { transaction, signature } = decodeTransaction(raw)
    expect(encodeTransaction(transaction, signature)).toBe(raw)
    expect(hashTransaction(raw)).toBe(hash)
    expect(recoverTransaction(raw).toLowerCase()).toBe(sender)
  })

  test.each(raw.invalid)('refuses $note', ({ raw, error }) => {
    expect(() => recoverTransaction(raw)).toThrow(expect.objectContaining({ message: error }))
  })
})
