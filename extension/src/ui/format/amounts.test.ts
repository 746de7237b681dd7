import { expect, test } from 'vitest'
import type { TokenView } from '../../messages.ts'
import { changed, coins, listOf, moved, nameOf, orderAmount } from './amounts.ts'
import type { Asked } from './parties.ts'
import { acting, asking, change, coinChange, finding, MIRA, OWN, plain, TOKEN, usdc } from './summary.fixture.ts'

const asked = asking(acting())
const counterfeit = asking(acting(), { findings: [finding('namesakeAsset', 'USDC')] })
const ETHER = 10n ** 18n
const unlisted: TokenView = { ...usdc, listed: false }

test('an amount of coins is worded with its share of the balance', () => {
  const shown = (wei: bigint, held: string | null | undefined) => plain(coins(asked, wei, held))
  expect(shown(ETHER, null)).toBe('1 ETH')
  expect(shown(ETHER, undefined)).toBe('1 ETH')
  expect(shown(ETHER, '0x0')).toBe('1 ETH')
  expect(shown(89n, '100')).toBe('0.000000000000000089 ETH')
  expect(shown(90n, '100')).toBe('0.00000000000000009 ETH (nearly all you have)')
  expect(shown(100n, '0x64')).toBe('all your 0.0000000000000001 ETH')
  expect(shown(101n, '100')).toBe('all your 0.000000000000000101 ETH')
})

test('parts are joined as the language does', () => {
  expect(listOf([])).toBe('')
  expect(listOf(['a'])).toBe('a')
  expect(listOf(['a', 'b', 'c'])).toBe('a, b, and c')
})

test('a token has the name of the list, its own in quotes, or none', () => {
  expect(nameOf(usdc)).toBe('USDC')
  expect(nameOf(unlisted)).toBe('“USDC”')
  expect(nameOf({ ...unlisted, symbol: 'x'.repeat(100) })).toBe(`“${'x'.repeat(32)}…”`)
  expect(nameOf({ ...unlisted, symbol: null })).toBe('tokens')
  expect(nameOf(undefined)).toBe('tokens')
})

const transfer = { kind: 'transfer', token: TOKEN, from: OWN, to: MIRA, amount: '4500000000', id: null } as const
const sent = (tokens: readonly TokenView[], isOwn = true, more: object = {}, from: Asked = asked) =>
  plain(moved(from, { ...transfer, ...more }, tokens, isOwn))

test('tokens that leave are compared with the own balance', () => {
  expect(sent([usdc])).toBe('4,500 USDC (nearly all you have)')
  expect(sent([usdc], false)).toBe('4,500 USDC')
  expect(sent([{ ...usdc, balance: null }])).toBe('4,500 USDC')
  expect(sent([usdc], true, { amount: '5000000000' })).toBe('all your 5,000 USDC')
})

test('unknown tokens have no invented amount', () => {
  expect(sent([{ ...unlisted, decimals: null, balance: null }])).toMatch(/^4500000000 smallest units/)
  expect(sent([], true, { amount: '9'.repeat(78) })).toMatch(/^9{12}…9999 smallest units/)
})

test('a counterfeit is marked', () => {
  expect(sent([unlisted], false, {}, counterfeit)).toBe('4,500 “USDC” (not the USDC in your list)')
  expect(sent([usdc], false, {}, counterfeit)).toBe('4,500 USDC')
  expect(plain(changed(counterfeit, change('in', '9000000000'), []))).toBe('9,000 “USDC” (not the USDC in your list)')
})

test('an item is named by its token ID', () => {
  expect(sent([usdc], true, { id: '7' })).toBe('USDC 7')
  expect(sent([], true, { id: '7' })).toMatch(/ 7$/)
})

test('the given side of an order is compared with the balance, and the other side is not', () => {
  const amount = (token: string | null, isGiven: boolean, more: object = {}) =>
    plain(orderAmount(asked, { token, amount: '5000000000', id: null, ...more }, [usdc], isGiven))
  expect(amount(TOKEN, true)).toBe('all your 5,000 USDC')
  expect(amount(TOKEN, false)).toBe('5,000 USDC')
  expect(amount(null, true)).toBe('0.000000005 ETH')
  expect(amount(TOKEN, true, { id: '7' })).toBe('USDC 7')
})

test('a change in a simulation is named by the list, or in quotes', () => {
  const shown = (more: object, tokens: readonly TokenView[] = []) =>
    plain(changed(asked, change('out', '5000000', more), tokens))
  expect(shown({}, [usdc])).toBe('5 USDC')
  expect(shown({})).toBe('5 “USDC”')
  expect(shown({ symbol: null })).toBe('5 tokens')
  expect(shown({ decimals: null })).toMatch(/^5000000 smallest units/)
  expect(shown({ id: '0x07' }, [usdc])).toBe('USDC 7')
  expect(shown({ held: '5000000' }, [usdc])).toBe('all your 5 USDC')
  expect(plain(changed(asked, { ...change('in', '5000000'), held: '5000000' }, [usdc]))).toBe('5 USDC')
  expect(plain(changed(asked, { ...coinChange('out', '90'), held: '100' }, []))).toBe(
    '0.00000000000000009 ETH (nearly all you have)',
  )
})

test('the token ID of an item is cut like any long number', () => {
  const id = '9'.repeat(78)
  for (const shown of [sent([usdc], true, { id }), changed(asked, change('out', '1', { id }), [usdc])])
    expect(shown?.length).toBeLessThan(60)
})
