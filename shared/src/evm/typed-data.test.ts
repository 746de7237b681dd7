import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import { decodeData, encodeData } from './hex.ts'
import { addressOfPrivateKey } from './signature.ts'
import {
  describeTypedData,
  encodeType,
  hashDomain,
  hashTypedData,
  parseTypedData,
  recoverTypedData,
  signTypedData,
} from './typed-data.ts'

const fields = (list: string) =>
  list === '' ? [] : list.split(',').map(field => ({ type: field.replace(/ .*/, ''), name: field.replace(/.* /, '') }))

const cow = { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' }
const bob = { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' }
const person = fields('string name,address wallet')

/** The example of EIP-712. */
const mail = {
  types: {
    EIP712Domain: fields('string name,string version,uint256 chainId,address verifyingContract'),
    Person: person,
    Mail: fields('Person from,Person to,string contents'),
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: { from: cow, to: bob, contents: 'Hello, Bob!' },
}

/** A message with one field of the given type. */
const message = (type: string, value: unknown, types: object = {}) => ({
  types: { Message: [{ name: 'data', type }], ...types },
  primaryType: 'Message',
  domain: {},
  message: { data: value },
})

/** A mail that refers to another: the recursive example of eth-sig-util. */
const reply = (last: object) => ({
  types: { Person: person, Mail: fields('Person from,Person to,string contents,Mail replyTo') },
  primaryType: 'Mail',
  domain: {},
  message: { ...mail.message, replyTo: { to: cow, from: bob, contents: 'Hello!', ...last } },
})

const hash = (data: unknown) => hashTypedData(parseTypedData(data))

describe('the Mail example of the standard', () => {
  const data = parseTypedData(mail)
  const { types } = data

  test('encodeType', () => {
    expect(encodeType('Mail', types)).toBe(
      'Mail(Person from,Person to,string contents)Person(string name,address wallet)',
    )
  })

  test('hashDomain and hashTypedData, equal in both versions', () => {
    expect(hashDomain(data)).toBe('0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f')
    const expected = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2'
    expect(hashTypedData(data)).toBe(expected)
    expect(hashTypedData(data, 'V3')).toBe(expected)
  })

  test('signTypedData and recoverTypedData', () => {
    const key = keccak_256(utf8ToBytes('cow'))
    const signature = signTypedData(data, key)
    expect(recoverTypedData(data, signature)).toBe(addressOfPrivateKey(key))
    expect(recoverTypedData({ ...data, message: { ...data.message, contents: '' } }, signature)).not.toBe(cow.wallet)
  })

  test('accepts JSON text', () => {
    expect(parseTypedData(JSON.stringify(mail))).toEqual(data)
  })

  test('parsing is idempotent', () => {
    expect(parseTypedData(data)).toEqual(data)
    expect(parseTypedData(JSON.stringify(data))).toEqual(data)
  })

  test('describeTypedData, in the order of the types', () => {
    expect(describeTypedData(data)).toEqual({
      domain: [
        { name: 'name', type: 'string', value: 'Ether Mail' },
        { name: 'version', type: 'string', value: '1' },
        { name: 'chainId', type: 'uint256', value: '1' },
        { name: 'verifyingContract', type: 'address', value: mail.domain.verifyingContract },
      ],
      message: {
        name: 'Mail',
        type: 'Mail',
        value: [
          {
            name: 'from',
            type: 'Person',
            value: [
              { name: 'name', type: 'string', value: 'Cow' },
              { name: 'wallet', type: 'address', value: cow.wallet },
            ],
          },
          {
            name: 'to',
            type: 'Person',
            value: [
              { name: 'name', type: 'string', value: 'Bob' },
              { name: 'wallet', type: 'address', value: bob.wallet },
            ],
          },
          { name: 'contents', type: 'string', value: 'Hello, Bob!' },
        ],
      },
    })
  })
})

test('describeTypedData of arrays, booleans and absent references', () => {
  const types = { Message: fields('bool[2][] data,Message next') }
  const data = { types, primaryType: 'Message', domain: {}, message: { data: [[true, false]] } }
  expect(describeTypedData(parseTypedData(data))).toEqual({
    domain: [],
    message: {
      name: 'Message',
      type: 'Message',
      value: [
        {
          name: 'data',
          type: 'bool[2][]',
          value: [
            {
              name: '[0]',
              type: 'bool[2]',
              value: [
                { name: '[0]', type: 'bool', value: 'true' },
                { name: '[1]', type: 'bool', value: 'false' },
              ],
            },
          ],
        },
        { name: 'next', type: 'Message', value: 'none' },
      ],
    },
  })
})

describe('the domain', () => {
  const domain = { salt: `0x${'11'.repeat(32)}`, chainId: 1, name: 'a' }
  const types = { Message: [] }
  const rest = { primaryType: 'Message', message: {} }

  test('without a declared type uses the present fields in the order of the standard', () => {
    const { types: found } = parseTypedData({ types, domain, ...rest })
    expect(encodeType('EIP712Domain', found)).toBe('EIP712Domain(string name,uint256 chainId,bytes32 salt)')
    const declared = { ...types, EIP712Domain: fields('string name,uint256 chainId,bytes32 salt') }
    expect(hash({ types: declared, domain, ...rest })).toBe(hash({ types, domain, ...rest }))
  })

  test('may be empty', () => {
    expect(hash({ types: { ...types, EIP712Domain: [] }, domain: {}, ...rest })).toBe(
      hash({ types, domain: {}, ...rest }),
    )
  })
})

describe('values', () => {
  test('normalizes the accepted forms of a value', () => {
    const forms = [255, 255n, '255', '0xff', '0xFF', '0x00ff', '0255']
    expect(new Set(forms.map(form => hash(message('uint8', form))))).toHaveLength(1)
    expect(forms.map(form => parseTypedData(message('uint8', form)).message)).toEqual(
      forms.map(() => ({ data: '255' })),
    )
    const { wallet } = cow
    const addresses = [wallet, wallet.toLowerCase(), `0x${wallet.slice(2).toUpperCase()}`]
    expect(addresses.map(form => parseTypedData(message('address', form)).message.data)).toEqual(
      addresses.map(() => wallet),
    )
    expect(parseTypedData(message('bytes2', '0xABcd')).message.data).toBe('0xabcd')
  })

  test('accepts the limits of each range', () => {
    for (const bits of [8, 128, 256]) {
      const [least, most] = [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
      expect(parseTypedData(message(`int${bits}[]`, [least, most])).message.data).toEqual([`${least}`, `${most}`])
      const highest = 2n ** BigInt(bits) - 1n
      expect(parseTypedData(message(`uint${bits}[]`, [0, highest])).message.data).toEqual(['0', `${highest}`])
    }
  })

  test('copies the data, so that later changes have no effect', () => {
    const given = structuredClone(mail)
    const data = parseTypedData(given)
    given.message.to.name = 'Eve'
    given.types.Mail.reverse()
    expect(data).toEqual(parseTypedData(mail))
  })

  test.each<[string, unknown, string]>([
    ['a function', () => 1, 'message.data: a value of type function is not a string'],
    ['an object of text', Object('a'), 'message.data: a value of type object is not a string'],
    ['bytes', new Uint8Array(3), 'message.data: 3 bytes is not a string'],
    ['nothing', undefined, 'message.data: undefined is not a value of type string'],
  ])('not JSON: %s', (_, value, error) => {
    expect(() => parseTypedData(message('string', value))).toThrow(error)
  })

  test.each(['\ud800', 'a\udc00b', '\udc00\ud800'])('refuses text that UTF-8 cannot encode: %j', value => {
    expect(() => parseTypedData(message('string', value))).toThrow('is not well-formed Unicode')
    expect(() => parseTypedData(JSON.stringify(message('string', value)))).toThrow('is not well-formed Unicode')
    expect(parseTypedData(message('string', '\ud83d\ude01')).message).toEqual({ data: '😁' })
  })

  test('refuses an array with a hole', () => {
    const sparse = [1, 2]
    delete sparse[0]
    expect(() => parseTypedData(message('uint8[]', sparse))).toThrow(
      'message.data[0]: undefined is not a value of type uint8',
    )
  })

  test('ignores inherited properties', () => {
    const inherited = Object.create(cow)
    expect(() => parseTypedData(message('Person', inherited, { Person: person }))).toThrow(
      'message.data.name: undefined is not a value of type string',
    )
  })

  test('reads each property once', () => {
    let reads = 0
    const changing = {
      get data() {
        return ++reads
      },
    }
    expect(parseTypedData({ ...message('uint8', 0), message: changing }).message).toEqual({ data: '1' })
  })
})

describe('recursive types', () => {
  test('end where a reference is null or absent', () => {
    const data = parseTypedData(reply({}))
    const messageHash = '0x098a3fdba6dae9a89a220b7adbe1f38cf5d2aeabd94657aea65bb8aeef44f02e'
    const signed = concatBytes(...['0x1901', hashDomain(data), messageHash].map(part => decodeData(part)))
    expect(hashTypedData(data)).toBe(encodeData(keccak_256(signed)))
    expect(parseTypedData(reply({ replyTo: null }))).toEqual(data)
    expect(parseTypedData(reply({ replyTo: undefined }))).toEqual(data)
  })

  test('may be recursive through other types and arrays', () => {
    const types = { A: fields('B b'), B: fields('A[] list,A one') }
    const data = {
      types,
      primaryType: 'A',
      domain: {},
      message: { b: { list: [null, { b: null }], one: { b: null } } },
    }
    expect(encodeType('A', parseTypedData(data).types)).toBe('A(B b)B(A[] list,A one)')
    expect(hash(data)).not.toBe(hash({ ...data, message: { b: null } }))
  })

  test('a struct that is not itself recursive may not be absent', () => {
    const types = { Node: fields('Node next'), List: fields('Node first') }
    const data = { types, primaryType: 'Outer', domain: {}, message: {} }
    expect(() => parseTypedData({ ...data, types: { ...types, Outer: fields('List list') } })).toThrow(
      'message.list: undefined is not a value of type List',
    )
  })

  test('an object that contains itself exceeds the depth limit', () => {
    const loop: { next?: object } = {}
    loop.next = loop
    const data = { types: { Node: fields('Node next') }, primaryType: 'Node', domain: {}, message: loop }
    expect(() => parseTypedData(data)).toThrow('65 is over the limit of 64')
  })
})

describe('version 3', () => {
  test.each<[string, object, string]>([
    ['an array', message('uint8[]', []), 'message.data: "uint8[]" is an array, which version 3 does not support'],
    ['an absent reference', reply({}), 'message.replyTo.replyTo: null is not supported in version 3'],
  ])('refuses %s', (_, given, error) => {
    expect(() => hashTypedData(parseTypedData(given), 'V3')).toThrow(error)
  })
})

describe('limits', () => {
  const named = (length: number) => Array.from({ length }, (_, at) => ({ name: `f${at}`, type: 'Message' }))

  test('of values', () => {
    const list = (length: number) =>
      message(
        'uint8[]',
        Array.from({ length }, () => 1),
      )
    expect(parseTypedData(list(4095)).message.data).toHaveLength(4095)
    expect(() => parseTypedData(list(4096))).toThrow(`message.data[4095]: 4097 is over the limit of 4096`)
  })

  test('of depth', () => {
    const types = { Node: fields('Node next') }
    const nest = (depth: number): object => (depth === 0 ? {} : { next: nest(depth - 1) })
    const data = (depth: number) => ({ types, primaryType: 'Node', domain: {}, message: nest(depth) })
    expect(hash(data(63))).toMatch(/^0x/)
    expect(() => parseTypedData(data(64))).toThrow(`65 is over the limit of 64`)
  })

  test('of types', () => {
    const types = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`T${at}`, []]))
    expect(hash(message('bool', true, types(127)))).toMatch(/^0x/)
    expect(() => parseTypedData(message('bool', true, types(128)))).toThrow('types: 129 is over the limit of 128')
  })

  test('of fields', () => {
    expect(hash(message('bool', true, { Other: named(1023) }))).toMatch(/^0x/)
    expect(() => parseTypedData(message('bool', true, { Other: named(1024) }))).toThrow(
      `types: 1025 is over the limit of 1024`,
    )
  })

  test('of names', () => {
    const name = 'n'.repeat(100)
    expect(hash(message('bool', true, { [name]: [] }))).toMatch(/^0x/)
    expect(() => parseTypedData(message('bool', true, { [`${name}n`]: [] }))).toThrow('is not a name')
    expect(() => parseTypedData(message(`bool${'[]'.repeat(50)}`, []))).toThrow('is not a type')
  })

  test('of JSON text', () => {
    const text = JSON.stringify(mail)
    expect(parseTypedData(text.padEnd(2 ** 20))).toEqual(parseTypedData(mail))
    expect(() => parseTypedData(text.padEnd(2 ** 20 + 1))).toThrow(`is longer than 1048576 characters`)
  })
})
