import { describe, expect, test } from 'vitest'
import { RpcError } from '../errors.ts'
import { toAddress } from '../evm/address.ts'
import { bareName, decodeMessage, isTypedValues, nodeSchemas } from './node-methods.ts'
import { parseParams } from './params.ts'

const account = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const lower = account.toLowerCase()
const other = toAddress(`0x${'11'.repeat(20)}`)
const utf8 = (text: string) => new TextEncoder().encode(text)

const failure = (method: keyof typeof nodeSchemas, params: unknown) => {
  try {
    return parseParams(params, nodeSchemas[method])
  } catch (thrown) {
    return thrown instanceof RpcError && thrown.code === -32602 ? thrown.message : thrown
  }
}

test('accepts a method under any prefix of the network', () => {
  expect(bareName('chain_sign', ['chain', 'eth'])).toBe('sign')
  expect(bareName('eth_signTypedData_v4', ['chain', 'eth'])).toBe('signTypedData_v4')
  expect(bareName('klay_sign', ['chain', 'eth'])).toBeUndefined()
  expect(bareName('chainsign', ['chain'])).toBeUndefined()
  expect(bareName('sign', ['chain'])).toBeUndefined()
})

describe('messages', () => {
  test.each([
    ['0x', []],
    ['0xdeadBEEF', [0xde, 0xad, 0xbe, 0xef]],
    ['0x00', [0]],
  ])('%s is DATA', (message, expected) => {
    expect([...decodeMessage(message)]).toEqual(expected)
  })

  test.each(['', 'deadbeef', '123456', '0xhello', 'żółw 😀', ' 0x12'])('%j is text', message => {
    expect(decodeMessage(message)).toEqual(utf8(message))
  })

  test.each(['0xabc', '0x1', '0X12', '\ud83d', 7, null, undefined, ['0x12']])(
    '%j is refused and not quoted',
    message => {
      expect(() => decodeMessage(message)).toThrow(
        /^message: must be DATA, 0x and an even number of hex digits, or well-formed text$/,
      )
    },
  )
})

describe('personal_sign', () => {
  const parsed = { account, message: utf8('hello') }

  test('takes the message first', () => {
    expect(failure('personal_sign', ['0x68656c6c6f', lower])).toEqual(parsed)
  })

  test('swaps params if the account comes first', () => {
    expect(failure('personal_sign', [lower, '0x68656c6c6f'])).toEqual(parsed)
  })

  test('keeps the order of two addresses, since 20 bytes are a valid message', () => {
    expect(failure('personal_sign', [other, account])).toEqual({ account, message: new Uint8Array(20).fill(0x11) })
  })

  test('ignores a third parameter, formerly a password', () => {
    expect(failure('personal_sign', ['hello', account, 'SECRET'])).toEqual(parsed)
  })

  test.each([
    [undefined, 'params: is missing'],
    [{}, 'params: must be of type Array'],
    [[], 'params[0]: must be DATA, 0x and an even number of hex digits, or well-formed text'],
    [['SECRET'], 'params[1]: must be an address'],
    [['hello', 'SECRET'], 'params[1]: must be an address'],
    [['hello', lower.replace('a', 'A')], 'params[1]: must be an address'],
    [['0xabc', account], 'params[0]: must be DATA'],
  ])('%j: %s', (params, message) => {
    expect(failure('personal_sign', params)).toContain(message)
    expect(failure('personal_sign', params)).not.toContain('SECRET')
  })
})

describe('sign', () => {
  test('takes the account first', () => {
    expect(failure('sign', [lower, '0x68656c6c6f'])).toEqual({ account, message: utf8('hello') })
  })

  test('accepts one order only', () => {
    expect(failure('sign', ['0x68656c6c6f', account])).toContain('params[0]: must be an address')
  })
})

describe('signTypedData', () => {
  const data = { types: {}, primaryType: 'Mail', domain: {}, message: {} }

  test('takes an object or its JSON text', () => {
    expect(failure('signTypedData', [lower, data])).toEqual({ account, data })
    expect(failure('signTypedData', [lower, JSON.stringify(data)])).toEqual({ account, data })
  })

  const list = [{ type: 'string', name: 'a', value: 'b' }]

  test('recognizes version 1 by a list as the first param', () => {
    for (const params of [[list, account], [[], account], [list]]) expect(isTypedValues(params)).toBe(true)
    for (const params of [[account, list], [account, data], [data, account], [], {}, null, undefined, 'text'])
      expect(isTypedValues(params), JSON.stringify(params)).toBe(false)
  })

  test('version 1 takes a list and an account', () => {
    expect(failure('signTypedData_v1', [list, lower])).toEqual({ account, values: list })
    expect(failure('signTypedData_v1', [list])).toMatch(/^params\[1\]: must be an address/)
    expect(failure('signTypedData_v1', [list, data])).toMatch(/^params\[1\]: must be an address/)
  })

  test('takes the account first, and refuses two accounts or two lists', () => {
    expect(failure('signTypedData', [list, account])).toMatch(/^params\[0\]: must be an address/)
    expect(failure('signTypedData', [data, account])).toMatch(/^params\[0\]: must be an address/)
    expect(failure('signTypedData', [account, account])).toMatch(/^params\[1\]: must be a typed-data object/)
    expect(failure('signTypedData_v1', [list, list])).toMatch(/^params\[1\]: must be an address/)
    for (const params of [undefined, null, {}, 'text', []]) expect(failure('signTypedData', params)).toMatch(/^params/)
  })

  test.each([undefined, null, 'SECRET', '[]', '1', 7, []])('data of %j is refused', data => {
    expect(failure('signTypedData', [account, data])).toBe(
      'params[1]: must be a typed-data object, or JSON text of such an object',
    )
  })
})

describe.each(['sendTransaction', 'signTransaction'] as const)('%s', method => {
  test('accepts the documented fields', () => {
    const transaction = {
      to: other,
      data: '0x12',
      gas: '0x76c0',
      gasPrice: '0x9184e72a000',
      value: '0x1',
      nonce: '0x0',
    }
    expect(failure(method, [{ from: lower, ...transaction }])).toEqual({ from: account, ...transaction })
  })

  test('a transfer needs no data', () => {
    expect(failure(method, [{ from: lower, to: other, value: '0x1' }])).toEqual({
      from: account,
      to: other,
      value: '0x1',
    })
  })

  test('a contract creation needs no recipient', () => {
    expect(failure(method, [{ from: account, data: '0x6000' }])).toEqual({ from: account, data: '0x6000' })
  })

  test('accepts the spellings and extra fields of common libraries', () => {
    const sent = {
      from: account,
      to: other,
      input: '0xAB',
      data: '0xab',
      gasLimit: '0x5208',
      type: '0x2',
      chainId: '0x7a69',
      maxFeePerGas: '0x2',
      maxPriorityFeePerGas: '0x1',
      accessList: [{ address: other.toLowerCase(), storageKeys: [`0x${'00'.repeat(32)}`] }],
      gasPrice: undefined,
      value: null,
      blobs: undefined,
    }
    expect(failure(method, [sent])).toEqual({
      from: account,
      to: other,
      data: '0xab',
      gas: '0x5208',
      type: '0x2',
      chainId: '0x7a69',
      maxFeePerGas: '0x2',
      maxPriorityFeePerGas: '0x1',
      accessList: [{ address: other, storageKeys: [`0x${'00'.repeat(32)}`] }],
    })
    expect(failure(method, [{ from: account, to: other, input: '0x12' }])).toMatchObject({ data: '0x12' })
  })

  test.each([
    ['no transaction', undefined, 'params[0]: must be a transaction object'],
    ['a raw transaction', '0x02', 'params[0]: must be a transaction object'],
    ['no from', { to: other }, 'params[0].from: is missing'],
    ['a to that is no address', { from: account, to: '0x1' }, 'params[0].to: must be an address'],
    ['a to that is empty, without code', { from: account, to: '0x', value: '0x1' }, 'params[0]: transaction.to: '],
    ['bare hex', { from: account, to: other, data: '12' }, 'params[0].data: must be DATA'],
    ['an odd number of digits', { from: account, to: other, input: '0x1' }, 'params[0].input: must be DATA'],
    ['a number', { from: account, to: other, value: 1 }, 'params[0].value: must be 0x and hex digits'],
    ['decimal digits', { from: account, to: other, value: '1' }, 'params[0].value: must be 0x and hex digits'],
    ['an empty text', { from: account, to: other, value: '' }, 'params[0].value: must be 0x and hex digits'],
    ['more than 256 bits', { from: account, to: other, value: `0x1${'0'.repeat(64)}` }, 'params[0].value: must be 0x'],
    ['gas beyond uint64', { from: account, to: other, gas: `0x1${'0'.repeat(16)}` }, 'params[0]: transaction.gas: '],
    ['data and input', { from: account, to: other, data: '0x12', input: '0x13' }, 'params[0]: transaction.'],
    ['gas and gasLimit', { from: account, to: other, gas: '0x1', gasLimit: '0x2' }, 'params[0]: transaction.'],
    ['two kinds of fee', { from: account, to: other, gasPrice: '0x1', maxFeePerGas: '0x1' }, 'params[0]: transaction.'],
    ['nothing to do', { from: account, value: '0x1' }, 'params[0]: transaction.to: '],
    ['blobs', { from: account, to: other, type: '0x3' }, 'params[0].type: must be 0x0, 0x1 or 0x2'],
    ['a delegation', { from: account, to: other, authorizationList: [] }, 'params[0]: sites may not send blob'],
    ['blobs in any type', { from: account, to: other, blobVersionedHashes: [] }, 'params[0]: sites may not'],
    [
      'a short storage key',
      { from: account, to: other, accessList: [{ address: other, storageKeys: ['0x00'] }] },
      'params[0].accessList[0].storageKeys[0]: must have 32 bytes',
    ],
  ])('%s is refused', (_, transaction, message) => {
    expect(failure(method, [transaction])).toContain(message)
  })
})

describe('sendRawTransaction', () => {
  test('takes DATA', () => {
    expect(failure('sendRawTransaction', ['0x02f8'])).toBe('0x02f8')
  })

  test.each([undefined, '02f8', '0x02f', {}])('%j is refused', raw => {
    expect(failure('sendRawTransaction', [raw])).toContain('params[0]: must be DATA')
  })
})
