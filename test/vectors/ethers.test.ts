/** Arbitrary transactions of every type: they survive encoding and decoding, and ethers reads and signs the same. */
import { toAddress } from '@heliograph/shared/evm/address'
import { signAuthorization } from '@heliograph/shared/evm/authorization'
import { decodeData, encodeData } from '@heliograph/shared/evm/hex'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import {
  decodeTransaction,
  encodeTransaction,
  hashTransaction,
  recoverTransaction,
  signingHash,
  signTransaction,
  type Transaction,
  type TransactionType,
} from '@heliograph/shared/evm/transaction'
import { types } from '@heliograph/shared/evm/transaction-fields'
import { Transaction as EthersTransaction, SigningKey } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size }).map(encodeData)
const uint = (bits: number) => fc.bigInt(0n, 2n ** BigInt(bits) - 1n)
const address = bytes(20).map(value => toAddress(value))
const key = bytes(31).map(digits => decodeData(`0x01${digits.slice(2)}`))

const join = <A extends object, B extends object>(a: fc.Arbitrary<A>, b: fc.Arbitrary<B>) =>
  fc.tuple(a, b).map(([a, b]) => ({ ...a, ...b }))

const nonce = uint(53) // ethers keeps nonces in numbers
const chainId = fc.bigInt(1n, 2n ** 63n)
const gasPrice = uint(256)
const payload = { nonce, gas: uint(64), value: uint(256), data: fc.uint8Array({ maxLength: 100 }).map(encodeData) }
const call = fc.record({ ...payload, to: address })
const callOrCreation = fc.record({ ...payload, to: address }, { requiredKeys: ['nonce', 'gas', 'value', 'data'] })
const accessList = fc.array(fc.record({ address, storageKeys: fc.array(bytes(32), { maxLength: 3 }) }), {
  maxLength: 3,
})
const feeMarket = join(
  fc.record({ chainId, accessList }),
  fc
    .tuple(uint(128), uint(128))
    .map(([a, b]) => ({ maxPriorityFeePerGas: a < b ? a : b, maxFeePerGas: a < b ? b : a })),
)
const blobVersionedHashes = fc.array(
  bytes(31).map(digits => encodeData(decodeData(`0x01${digits.slice(2)}`))),
  { minLength: 1, maxLength: 3 },
)
const authorizationList = fc.array(
  fc.tuple(fc.record({ chainId: uint(64), address, nonce }), key).map(([value, key]) => signAuthorization(value, key)),
  { minLength: 1, maxLength: 2 },
)

const arbitraries: Record<TransactionType, fc.Arbitrary<Transaction>> = {
  legacy: join(
    callOrCreation,
    fc.record({ type: fc.constant('legacy' as const), gasPrice, chainId }, { requiredKeys: ['type', 'gasPrice'] }),
  ),
  eip2930: join(callOrCreation, fc.record({ type: fc.constant('eip2930' as const), chainId, gasPrice, accessList })),
  eip1559: join(callOrCreation, join(feeMarket, fc.record({ type: fc.constant('eip1559' as const) }))),
  eip4844: join(
    join(call, feeMarket),
    fc.record({ type: fc.constant('eip4844' as const), maxFeePerBlobGas: uint(256), blobVersionedHashes }),
  ),
  eip7702: join(join(call, feeMarket), fc.record({ type: fc.constant('eip7702' as const), authorizationList })),
}

test.each(types)('%s', type => {
  fc.assert(
    fc.property(arbitraries[type], key, (transaction, key) => {
      const unsigned = encodeTransaction(transaction)
      const signed = signTransaction(transaction, key)
      expect(decodeTransaction(unsigned)).toEqual({ transaction })
      expect(decodeTransaction(signed).transaction).toEqual(transaction)
      expect(recoverTransaction(signed)).toBe(addressOfPrivateKey(key))

      const theirs = EthersTransaction.from(unsigned)
      expect(signingHash(transaction)).toBe(theirs.unsignedHash)
      theirs.signature = new SigningKey(key).sign(theirs.unsignedHash)
      expect(signed).toBe(theirs.serialized)
      expect(hashTransaction(signed)).toBe(theirs.hash)
    }),
  )
})
