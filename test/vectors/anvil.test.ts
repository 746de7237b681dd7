/** Compares signatures, bytes, hashes and senders with anvil, which shares no code with this project. */
import { toAddress } from '@heliograph/shared/evm/address'
import { recoverAuthorization, signAuthorization } from '@heliograph/shared/evm/authorization'
import { decodeData, decodeQuantity, encodeData, encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { signMessage } from '@heliograph/shared/evm/message'
import { decodeRlp, encodeRlp, type RlpItem } from '@heliograph/shared/evm/rlp'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import {
  hashTransaction,
  recoverTransaction,
  signTransaction,
  type Transaction,
} from '@heliograph/shared/evm/transaction'
import { completeTransaction, parseTransaction } from '@heliograph/shared/evm/transaction-request'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { isComplete } from '../support/suite.ts'

/** The first account of anvil's public test phrase. It pays for everything here. */
const key = decodeData('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const from = addressOfPrivateKey(key)
const to = toAddress('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil({ args: ['--no-mining'] })
})
afterAll(() => anvil.stop())

const call = async (method: string, ...params: unknown[]): Promise<unknown> => {
  const response = await fetch(anvil.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error !== undefined) throw new Error(`${method}: ${error.message}`)
  return result
}

test('eth_sign and personal_sign', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async bytes => {
      const message = encodeData(bytes)
      const signature = signMessage(bytes, key, 'Ethereum')
      expect(await call('eth_sign', from, message)).toBe(signature)
      expect(await call('personal_sign', message, from)).toBe(signature)
    }),
    { numRuns: 50 },
  )
})

describe('eth_signTransaction', () => {
  const uint = (bits: number) => fc.bigInt(0n, 2n ** BigInt(bits) - 1n).map(encodeQuantity)
  const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size }).map(encodeData)
  const data = fc.uint8Array({ minLength: 1, maxLength: 100 }).map(encodeData)
  const accessList = fc.array(fc.record({ address: bytes(20), storageKeys: fc.array(bytes(32)) }), { maxLength: 3 })
  const authorization = { chainId: 31337n, address: to, nonce: 7n }
  const { r, s, yParity } = signAuthorization(authorization, key)
  const authorizationList = [
    {
      chainId: '0x7a69',
      address: to,
      nonce: '0x7',
      yParity: encodeQuantity(yParity),
      r: encodeQuantity(r),
      s: encodeQuantity(s),
    },
  ]
  const gasPrice = { gasPrice: uint(100) }
  const fees = {
    maxPriorityFeePerGas: uint(64),
    maxFeePerGas: uint(64).map(price => `0x1${price.slice(2).padStart(16, '0')}`),
  }

  test.each([
    ['legacy', fc.record({ type: fc.constant('0x0'), ...gasPrice })],
    ['eip2930', fc.record({ type: fc.constant('0x1'), ...gasPrice, accessList })],
    ['eip1559', fc.record({ type: fc.constant('0x2'), ...fees, accessList })],
    [
      'eip7702',
      fc.record({ type: fc.constant('0x4'), ...fees, accessList, authorizationList: fc.constant(authorizationList) }),
    ],
  ])('of type %s', async (_, fields) => {
    const payload = fc.record({ nonce: uint(63), gas: uint(63), to: bytes(20), value: uint(256), data })
    await fc.assert(
      fc.asyncProperty(payload, fields, async (payload, fields) => {
        const request = { from, chainId: '0x7a69', ...payload, ...fields }
        const ours = signTransaction(completeTransaction(parseTransaction(request)), key)
        expect(await call('eth_signTransaction', request)).toBe(ours)
      }),
      { numRuns: 25 },
    )
  })
})

// These transactions are always the same, so only the gate sends them.
if (!isComplete)
  describe('eth_sendRawTransaction', () => {
    const gwei = 10n ** 9n
    const payload = { gas: 100_000n, to, value: 1n, data: '0x' } as const
    const feeMarket = { chainId: 31337n, maxPriorityFeePerGas: gwei, maxFeePerGas: 10n * gwei, accessList: [] }

    const nextNonce = async () => decodeQuantity(await call('eth_getTransactionCount', from, 'latest'))

    /** Sends a signed transaction, and expects anvil to mine it with our hash and sender. */
    const expectMined = async (raw: Hex) => {
      const hash = hashTransaction(raw)
      expect(await call('eth_sendRawTransaction', raw)).toBe(hash)
      await call('evm_mine')
      expect(await call('eth_getTransactionReceipt', hash)).toMatchObject({
        status: '0x1',
        transactionHash: hash,
        from: recoverTransaction(raw).toLowerCase(),
      })
    }

    test.each<[string, (nonce: bigint) => Transaction]>([
      ['legacy before EIP-155', nonce => ({ type: 'legacy', ...payload, nonce, gasPrice: 10n * gwei })],
      ['legacy', nonce => ({ type: 'legacy', chainId: 31337n, ...payload, nonce, gasPrice: 10n * gwei })],
      [
        'eip2930',
        nonce => ({
          type: 'eip2930',
          chainId: 31337n,
          ...payload,
          nonce,
          gasPrice: 10n * gwei,
          accessList: [{ address: to, storageKeys: [`0x${'01'.repeat(32)}`] }],
        }),
      ],
      ['eip1559', nonce => ({ type: 'eip1559', ...payload, ...feeMarket, nonce })],
      [
        'a creation',
        nonce => ({ type: 'eip1559', ...feeMarket, nonce, gas: 100_000n, value: 0n, data: '0x60016000f3' }),
      ],
    ])('of type %s', async (_, build) => {
      await expectMined(signTransaction(build(await nextNonce()), key))
    })

    test('of type eip7702, which puts code on the account that authorized it', async () => {
      const authorityKey = new Uint8Array(32).fill(7)
      const authorization = signAuthorization({ chainId: 31337n, address: to, nonce: 0n }, authorityKey)
      const nonce = await nextNonce()
      const transaction: Transaction = {
        type: 'eip7702',
        ...payload,
        ...feeMarket,
        nonce,
        authorizationList: [authorization],
      }
      await expectMined(signTransaction(transaction, key))
      const code = await call('eth_getCode', recoverAuthorization(authorization), 'latest')
      expect(code).toBe(`0xef0100${to.slice(2).toLowerCase()}`)
    })

    // For a blob of zeros, the commitment and the proofs are the point at infinity.
    const blob = new Uint8Array(131_072)
    const point = decodeData(`0xc0${'00'.repeat(47)}`)
    test.each<[string, readonly RlpItem[]]>([
      ['proofs of blobs', [[blob], [point], [point]]],
      ['proofs of cells', [Uint8Array.of(1), [blob], [point], Array.from({ length: 128 }, () => point)]],
    ])('of type eip4844 with %s', async (_, sidecar) => {
      const transaction: Transaction = {
        type: 'eip4844',
        ...payload,
        ...feeMarket,
        nonce: await nextNonce(),
        maxFeePerBlobGas: gwei,
        blobVersionedHashes: ['0x010657f37554c781402a22917dee2f75def7ab966d7b770905398eba3c444014'],
      }
      const items = decodeRlp(decodeData(signTransaction(transaction, key)).subarray(1))
      await expectMined(`0x03${encodeData(encodeRlp([items, ...sidecar])).slice(2)}`)
    })
  })
