import { describe, expect, test } from 'vitest'
import { toAddress } from './address.ts'
import { completeTransaction, type IncompleteTransaction, parseTransaction } from './transaction-request.ts'

const to = `0x${'35'.repeat(20)}`

describe('a request', () => {
  test('may have a recipient only', () => {
    expect(parseTransaction({ to })).toEqual({ to: toAddress(to) })
  })

  test('treats null and undefined as missing, and drops unknown names', () => {
    const request = { to, data: null, nonce: undefined, type: null, chainType: '0x1', v: '0x1b', r: 'x' }
    expect(parseTransaction(request)).toEqual({ to: toAddress(to) })
  })

  test('parses each field to its type', () => {
    const accessList = [{ address: to, storageKeys: [`0x${'AB'.repeat(32)}`] }]
    const fields = { from: to, to, chainId: '0x1', nonce: '0x0', gas: '0x5208', value: '0x1', data: '0xAB', accessList }
    expect(parseTransaction({ ...fields, maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' })).toEqual({
      type: 'eip1559',
      from: toAddress(to),
      to: toAddress(to),
      chainId: 1n,
      nonce: 0n,
      gas: 21_000n,
      value: 1n,
      data: '0xab',
      accessList: [{ address: toAddress(to), storageKeys: [`0x${'ab'.repeat(32)}`] }],
      maxFeePerGas: 2n,
      maxPriorityFeePerGas: 1n,
    })
  })

  test('accepts gasLimit for gas and input for data, or both if equal', () => {
    const expected = { to: toAddress(to), gas: 21_000n, data: '0xab' }
    expect(parseTransaction({ to, gasLimit: '0x5208', input: '0xab' })).toEqual(expected)
    expect(parseTransaction({ to, gas: '0x5208', gasLimit: '0x5208', data: '0xAB', input: '0xab' })).toEqual(expected)
  })

  test.each([
    [{}, undefined],
    [{ accessList: [] }, undefined],
    [{ gasPrice: '0x1' }, 'legacy'],
    [{ gasPrice: '0x1', accessList: [] }, 'eip2930'],
    [{ maxFeePerGas: '0x1' }, 'eip1559'],
    [{ maxPriorityFeePerGas: '0x1' }, 'eip1559'],
    [{ maxFeePerBlobGas: '0x1' }, 'eip4844'],
    [{ type: '0x0' }, 'legacy'],
    [{ type: '0x2' }, 'eip1559'],
    [{ type: '0x4' }, 'eip7702'],
  ])('with %j is of type %s', (fields, type) => {
    expect(parseTransaction({ to, ...fields }).type).toBe(type)
  })

  test.each<[unknown, string]>([
    [undefined, 'transaction: undefined is not an object'],
    [null, 'transaction: null is not an object'],
    [[{ to }], 'transaction: an array of 1 is not an object'],
    ['0x', 'transaction: "0x" is not an object'],
    [{}, 'transaction.to: is missing, and so is the data to create a contract'],
    [{ data: '0x' }, 'transaction.to: is missing, and so is the data to create a contract'],
    [{ to: '' }, 'transaction.to: "" is not an address: 0x and 40 hex digits'],
    [{ to, from: 'me' }, 'transaction.from: "me" is not an address: 0x and 40 hex digits'],
    [{ to, value: 1 }, 'transaction.value: 1 is not a QUANTITY: 0x and hex digits without leading zeros'],
    [{ to, value: '0x01' }, 'transaction.value: "0x01" is not a QUANTITY: 0x and hex digits without leading zeros'],
    [{ to, gas: '0x10000000000000000' }, 'transaction.gas: "0x10000000000000000" does not fit uint64'],
    [{ to, gasLimit: '5' }, 'transaction.gasLimit: "5" is not a QUANTITY: 0x and hex digits without leading zeros'],
    [{ to, gas: '0x1', gasLimit: '0x2' }, 'transaction.gasLimit: "0x2" differs from gas'],
    [{ to, data: '0x01', input: '0x02' }, 'transaction.input: "0x02" differs from data'],
    [{ to, chainId: '0x0' }, 'transaction.chainId: 0 is not a chain id: they start at 1'],
    [{ to, type: '0x5' }, 'transaction.type: "0x5" is not a known transaction type'],
    [{ to, type: '2' }, 'transaction.type: "2" is not a QUANTITY: 0x and hex digits without leading zeros'],
    [
      { to, gasPrice: '0x1', maxFeePerGas: '0x1' },
      'transaction.gasPrice: 1 is given, but eip1559 transactions have no such field',
    ],
    [
      { to, type: '0x2', gasPrice: '0x1' },
      'transaction.gasPrice: 1 is given, but eip1559 transactions have no such field',
    ],
    [
      { to, type: '0x0', accessList: [] },
      'transaction.accessList: an array of 0 is given, but legacy transactions have no such field',
    ],
    [{ to, accessList: {} }, 'transaction.accessList: a value of type object is not an array'],
    [{ to, accessList: [to] }, `transaction.accessList[0]: "${to}" is not an object`],
    [{ to, accessList: [{ address: to }] }, 'transaction.accessList[0].storageKeys: undefined is not an array'],
    [{ to, blobVersionedHashes: [] }, 'transaction.blobVersionedHashes: an array of 0 has no blob hash'],
    [
      { to, authorizationList: [{ chainId: '0x0', address: to, nonce: '0x0', yParity: '0x2', r: '0x1', s: '0x1' }] },
      'transaction.authorizationList[0].yParity: 2 is neither 0 nor 1',
    ],
  ])('%j is refused', (request, error) => {
    expect(() => parseTransaction(request)).toThrow(expect.objectContaining({ message: error }))
  })
})

describe('completing a request', () => {
  const filled: IncompleteTransaction = { to: toAddress(to), chainId: 1n, nonce: 0n, gas: 21_000n, gasPrice: 7n }

  test('value, data and access list default to none', () => {
    const call = { to: toAddress(to), chainId: 1n, nonce: 0n, gas: 21_000n, value: 0n, data: '0x' }
    expect(completeTransaction(filled)).toEqual({ type: 'legacy', ...call, gasPrice: 7n })
    expect(completeTransaction({ ...filled, type: 'eip2930' })).toEqual({
      type: 'eip2930',
      ...call,
      gasPrice: 7n,
      accessList: [],
    })
  })

  test('a contract creation has no recipient', () => {
    const { to, ...creation } = filled
    expect(completeTransaction({ ...creation, data: '0x00' })).not.toHaveProperty('to')
  })

  test('leaves out the sender', () => {
    expect(completeTransaction({ ...filled, from: toAddress(to) })).not.toHaveProperty('from')
  })

  test.each(['chainId', 'nonce', 'gas', 'gasPrice'] as const)('refuses a missing %s', name => {
    const { [name]: _, ...rest } = filled
    expect(() => completeTransaction(rest)).toThrow(`transaction.${name}: is missing`)
  })

  test('refuses fees of another type', () => {
    expect(() => completeTransaction({ ...filled, maxFeePerGas: 7n })).toThrow(
      'transaction.gasPrice: 7 is given, but eip1559 transactions have no such field',
    )
  })

  test('refuses values out of range', () => {
    expect(() => completeTransaction({ ...filled, nonce: 2n ** 64n })).toThrow('transaction.nonce: ')
    const { gasPrice, ...rest } = filled
    expect(() => completeTransaction({ ...rest, maxFeePerGas: 1n, maxPriorityFeePerGas: 2n })).toThrow(
      'transaction.maxPriorityFeePerGas: 2 is above maxFeePerGas, 1',
    )
  })

  test('a delegation needs a recipient', () => {
    const { to, gasPrice, ...rest } = filled
    const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }
    const authorization = { chainId: 1n, address: toAddress(`0x${'35'.repeat(20)}`), nonce: 0n }
    const authorizationList = [{ ...authorization, r: 1n, s: 1n, yParity: 0 as const }]
    expect(() => completeTransaction({ ...rest, ...fees, authorizationList })).toThrow('transaction.to: undefined')
  })
})
