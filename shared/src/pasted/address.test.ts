import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPastedAddress } from './address.ts'
import { chainOfShortName } from './short-names.ts'

const T = '0x00a1b2c3d4e5f60718293a4b5c6d7e8f90abcdef'
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

test.each([
  ['T', T, { address: T }],
  ['T between spaces', `  ${T}\n`, { address: T }],
  ['T with a line break inside', `${T.slice(0, 20)}\r\n  ${T.slice(20)}`, { address: T }],
  ['T in groups of four', T.match(/.{1,4}/g)?.join(' '), { address: T }],
  ['T with zero-width characters', `\u200b${T.slice(0, 9)}\u2060${T.slice(9)}\ufeff`, { address: T }],
  ['T with a non-breaking space', `\u00a0${T}\u00a0`, { address: T }],
  ['T in quotes', `"${T}"`, { address: T }],
  ['T at the end of a sentence', `${T}.`, { address: T }],
  ['T with 0X', `0X${T.slice(2)}`, { address: T }],
  ['T without 0x', T.slice(2), { address: T }],
  ['T without 0x, two digits short', T.slice(2, -2), { address: T.slice(0, -2) }],
  ['a private key', 'ab'.repeat(32), { address: 'ab'.repeat(32) }],
  ['T two digits short', T.slice(0, -2), { address: T.slice(0, -2) }],
  ['eth: and T', `eth:${T}`, { address: T, chain: 'eth' }],
  ['ETH: and T', `ETH: ${T}`, { address: T, chain: 'ETH' }],
  ['arb1: and T', `arb1:${T}`, { address: T, chain: 'arb1' }],
  ['CAIP-10', `eip155:10:${T}`, { address: T, chain: 10 }],
  ['a DID of an account', `did:pkh:eip155:1:${T}`, { address: T, chain: 1 }],
  ['ethereum: and T', `ethereum:${T}`, { address: T }],
  ['ethereum:T@10', `ethereum:${T}@10`, { address: T, chain: 10 }],
  ['ethereum:T@0xa', `ethereum:${T}@0xa`, { address: T, chain: 10 }],
  ['ethereum:pay-T', `ethereum:pay-${T}`, { address: T }],
  ['ethereum:T@x', `ethereum:${T}@x`, { address: T, chain: 'x' }],
  [
    'a value',
    `ethereum:${T}@1?value=2014000000000000000&gas=21000`,
    { address: T, chain: 1, payment: { token: null, amount: 2014000000000000000n } },
  ],
  [
    'a value in scientific notation',
    `ethereum:${T}?value=2.014e18`,
    { address: T, payment: { token: null, amount: 2014000000000000000n } },
  ],
  [
    'a transfer of a token',
    `ethereum:${TOKEN}@1/transfer?address=${T}&uint256=1.5e6`,
    { address: T, chain: 1, payment: { token: TOKEN, amount: 1500000n } },
  ],
  [
    'a transfer without an amount',
    `ethereum:${TOKEN}/transfer?address=${T}`,
    { address: T, payment: { token: TOKEN, amount: null } },
  ],
  [
    'another function',
    `ethereum:${TOKEN}/approve?address=${T}&uint256=1`,
    { address: TOKEN, unknown: { part: 'function', value: 'approve' } },
  ],
  ['a fractional value', `ethereum:${T}?value=1.5`, { address: T, unknown: { part: 'amount', value: '1.5' } }],
  ['a negative value', `ethereum:${T}?value=-1`, { address: T, unknown: { part: 'amount', value: '-1' } }],
  ['no value', `ethereum:${T}?value=`, { address: T }],
  [
    'a value above a uint256',
    `ethereum:${T}?value=1.2e77`,
    { address: T, unknown: { part: 'amount', value: '1.2e77' } },
  ],
  ['two values', `ethereum:${T}?value=1&value=2`, { address: T, unknown: { part: 'amount', value: '1, 2' } }],
  [
    'two recipients',
    `ethereum:${TOKEN}/transfer?address=${T}&address=${TOKEN}&uint256=1`,
    { address: TOKEN, unknown: { part: 'function', value: 'transfer' } },
  ],
  [
    'data',
    `ethereum:${TOKEN}?value=1&data=0xd0e30db0`,
    { address: TOKEN, unknown: { part: 'function', value: '0xd0e30db0' } },
  ],
  ['empty data', `ethereum:${T}?data=0x&value=1`, { address: T, payment: { token: null, amount: 1n } }],
  [
    'a function in the old form',
    `ethereum:${T}?function=mint&uint256=1`,
    { address: T, unknown: { part: 'function', value: 'mint' } },
  ],
  [
    'a transfer with &amp; for &',
    `ethereum:${TOKEN}/transfer?address=${T}&amp;uint256=5`,
    { address: T, payment: { token: TOKEN, amount: 5n } },
  ],
  [
    'a link that is percent-encoded as a whole',
    encodeURIComponent(`ethereum:${T}@1?value=5`),
    { address: T, chain: 1, payment: { token: null, amount: 5n } },
  ],
  ['a link with an empty network', `ethereum:${T}@`, { address: T }],
  ['1: and T', `1:${T}`, { address: T, chain: 1 }],
  ['eth: and a name', 'eth:mira.eth', { address: 'mira.eth', chain: 'eth' }],
  ['an address of XDC', `xdc${T.slice(2)}`, { address: T, chain: 'xdc' }],
  ['a page of a block explorer', `https://optimistic.etherscan.io/address/${T}?tab=1`, { address: T }],
  ['a page of a block explorer without https', `etherscan.io/address/${T}/#code`, { address: T }],
  ['a page of a transaction', 'https://etherscan.io/tx/0xab', { address: 'https://etherscan.io/tx/0xab' }],
  ['a name', ' Mira.eth ', { address: 'Mira.eth' }],
  ['a link to a name', 'ethereum:mira.eth@1', { address: 'mira.eth', chain: 1 }],
  ['a name of a contact', 'Mira and Bo', { address: 'Mira and Bo' }],
  ['hex that is no address', 'cafe', { address: 'cafe' }],
  ['nothing', '', { address: '' }],
])('%s is read', (_, text, wanted) => {
  expect(readPastedAddress(text ?? '')).toEqual(wanted)
})

test('an address is read whatever text surrounds it, and its digits are kept as written', () => {
  const address = fc.stringMatching(/^0x[0-9a-fA-F]{40}$/)
  const noise = fc.constantFrom('', ' ', '\n', '\t', '\u200b', '\u00a0', '\u3000', '\u00ad', '\ufeff', '\u2060')
  const head = fc.constantFrom('', 'eth:', 'ethereum:', 'ethereum:pay-', 'eip155:1:', 'base:')
  fc.assert(
    fc.property(
      address,
      head,
      fc.array(noise, { minLength: 42, maxLength: 42 }),
      noise,
      (given, before, between, around) => {
        const spaced = [...given].map((digit, at) => `${digit}${between[at]}`).join('')
        expect(readPastedAddress(`${around}${before}${spaced}${around}`).address).toBe(given)
      },
    ),
  )
})

test('amounts are exact in every notation', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 255n }), fc.nat(18), (units, shift) => {
      const digits = String(units).padStart(shift + 1, '0')
      const at = digits.length - shift
      const text = shift === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}e${shift}`
      expect(readPastedAddress(`ethereum:${T}?value=${text}`).payment?.amount).toBe(units)
    }),
  )
})

test('short names are known in any case, and no other names', () => {
  const known = ['eth', 'oeth', 'base', 'arb1', 'matic', 'pol', 'bnb', 'gno', 'avax', 'RSK', 'celo', 'Sep']
  const chains = [1, 10, 8453, 42161, 137, 137, 56, 100, 43114, 30, 42220, 11155111]
  expect(known.map(chainOfShortName)).toEqual(chains)
  expect(['ethereum', 'constructor', '__proto__', ''].map(chainOfShortName)).toEqual(Array(4).fill(undefined))
})
