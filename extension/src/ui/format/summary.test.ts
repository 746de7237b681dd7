import { describe, expect, test } from 'vitest'
import type { Act, BalanceChangeView, Effect, Right, TransactionEffect } from '../../messages.ts'
import type { Asked } from './parties.ts'
import {
  acting,
  asking,
  CONTRACT,
  calling,
  change,
  coinChange,
  finding,
  MIRA,
  NOBODY,
  OWN,
  PARTIES,
  PROTOCOL,
  party,
  plain,
  SAVINGS,
  showing,
  TOKEN,
  transaction,
  usdc,
} from './summary.fixture.ts'
import { summaryOf } from './summary.ts'
import { startSentence, text } from './text.ts'

const part = (shown: string, to: string) => text('says_part', shown, to)
const says = (effect: Effect, more: Partial<Asked> = {}) => plain(summaryOf(asking(effect, more)))

const TENTH = '0x16345785d8a0000'
const MOST = '0x44004c09e76a0000'
const UNKNOWN = text('party_unknown', '0x90F7…b906')
const NEVER_USED = text('party_neverUsed', '0x15d3…6A65')
const NO_CONTRACT = text('party_noContract', '0x15d3…6A65')

const send = (to: string, amount = '100000000', more: Partial<Act & { kind: 'transfer' }> = {}): Act => ({
  kind: 'transfer',
  token: TOKEN,
  from: OWN,
  to,
  amount,
  id: null,
  ...more,
})
const allow = (spender: string, amount: string | null, more: Partial<Act & { kind: 'allow' }> = {}): Act => ({
  kind: 'allow',
  token: TOKEN,
  spender,
  amount,
  until: null,
  adds: false,
  ...more,
})
const allowAll = (spender: string, allowed = true): Act => ({ kind: 'allowAll', token: TOKEN, spender, allowed })
const control = (right: Right, to: string | null, of = CONTRACT): Act => ({ kind: 'control', right, of, to })
const order = (more: Partial<Act & { kind: 'order' }> = {}): Act => ({
  kind: 'order',
  gives: [{ token: TOKEN, amount: '1000000000', id: null }],
  gets: [{ token: null, amount: '330000000000000000', id: null }],
  until: null,
  ...more,
})
const typed = (acts: readonly Act[], contract: string): Effect => ({
  kind: 'typedData',
  domain: [],
  primaryType: 'Order',
  message: { name: 'Order', type: 'Order', value: [] },
  json: '{}',
  form: 'order',
  acts,
  tokens: [usdc],
  contract,
})

describe('an outgoing asset', () => {
  test('is named with its amount and recipient', () => {
    expect(says(transaction({ to: MIRA, value: TENTH }))).toBe(text('says_send', part('0.1 ETH', 'Mira')))
    expect(says(transaction({ to: NOBODY, value: TENTH }))).toBe(text('says_send', part('0.1 ETH', NEVER_USED)))
    expect(says(acting(send(MIRA)))).toBe(text('says_send', part('100 USDC', 'Mira')))
    expect(says(acting(send(CONTRACT)))).toBe(text('says_send', part('100 USDC', UNKNOWN)))
    expect(says(acting(send(MIRA, '1', { id: '7' })))).toBe(text('says_send', part('USDC 7', 'Mira')))
  })

  test('is marked if it is all, or nearly all', () => {
    expect(says(transaction({ to: NOBODY, value: MOST }))).toBe(
      text('says_send', part('4.9 ETH (nearly all you have)', NEVER_USED)),
    )
    expect(says(acting(send(CONTRACT, '5000000000')))).toBe(text('says_send', part('all your 5,000 USDC', UNKNOWN)))
  })

  test('sent with a call is a payment, with the return that a simulation shows', () => {
    const paying = (more: Partial<TransactionEffect> = {}) =>
      says(calling(CONTRACT, 'claim()', { value: TENTH, ...more }))
    expect(paying()).toBe(text('says_pay', part('0.1 ETH', UNKNOWN)))
    const back = showing(coinChange('out', '1'), change('in', '5000000'))
    const warned = { findings: [finding('mostOfAsset', CONTRACT)] }
    expect(says(calling(CONTRACT, 'claim()', { value: TENTH, ...back }), warned)).toBe(
      text('says_payBack', part('0.1 ETH', UNKNOWN), '5 USDC'),
    )
    expect(says(calling(NOBODY, 'claim()', { value: TENTH }))).toBe(text('says_pay', part('0.1 ETH', NO_CONTRACT)))
  })

  test('goes to each recipient in order, unidentified ones first', () => {
    expect(says(acting(send(MIRA), send(SAVINGS, '1000000'), send(MIRA, '2000000')))).toBe(
      text('says_send', '100 USDC and 2 USDC to Mira and 1 USDC to Savings'),
    )
    expect(says(acting(send(MIRA), send(NOBODY, '1000000')))).toBe(text('says_send', part('1 USDC', NEVER_USED)))
  })

  test('with many recipients names three and counts the others', () => {
    const recipients = Array.from({ length: 6 }, (_, at) => `0x${String(at + 1).repeat(40)}`)
    const parties = recipients.map((address, at) => party(address, 'contact', { name: `Friend ${at}` }))
    expect(says(acting(...recipients.map(to => send(to))), { parties })).toBe(
      text('says_send', '100 USDC to Friend 0, 100 USDC to Friend 1, 100 USDC to Friend 2, and 3 more'),
    )
  })

  test('of another owner is sent by that owner', () => {
    const safe = party(CONTRACT, 'safe')
    const paid = transaction({ payments: [{ from: CONTRACT, to: MIRA, value: '100000000000000000' }] })
    expect(says(paid, { parties: [...PARTIES.filter(({ address }) => address !== CONTRACT), safe] })).toBe(
      text('says_sendsFrom', text('party_safe', '0x90F7…b906'), part('0.1 ETH', 'Mira')),
    )
  })

  test('sent to its own token is lost, and sent back to the sender is left out', () => {
    const parties = [...PARTIES, party(TOKEN, 'token', { name: 'USDC' })]
    expect(says(acting(send(TOKEN)), { parties })).toBe(
      text('says_lost', part('100 USDC', text('party_token', 'USDC'))),
    )
    expect(says(acting(send(OWN)))).toBeUndefined()
  })
})

describe('an allowance', () => {
  test('names the spender, the amount and the end', () => {
    expect(says(acting(allow(PROTOCOL, '100000000')))).toBe(text('says_allow', 'Harbor (router)', '100 USDC'))
    expect(says(acting(allow(NOBODY, '5000000000')))).toBe(text('says_allow', NO_CONTRACT, 'all your 5,000 USDC'))
    expect(says(acting(allow(CONTRACT, null)))).toBe(text('says_allowEver', UNKNOWN, 'all your USDC'))
    const soon = String(Math.floor(Date.now() / 1000) + 3_600)
    expect(says(acting(allow(CONTRACT, '1000000', { until: soon })))).toContain(`${UNKNOWN} may take 1 USDC until `)
    expect(says(acting(allow(CONTRACT, '1000000', { until: '99999999999' })))).toBe(
      text('says_allowForever', UNKNOWN, '1 USDC'),
    )
  })

  test('can be items, or all of a collection', () => {
    const tokens = [{ ...usdc, symbol: 'CATS', collection: true as const }]
    expect(says({ ...acting(allow(CONTRACT, '7')), tokens })).toBe(text('says_allow', UNKNOWN, 'CATS 7'))
    expect(says({ ...acting(allow(CONTRACT, '1', { id: '8' })), tokens })).toBe(text('says_allow', UNKNOWN, 'CATS 8'))
    expect(says({ ...acting(allowAll(CONTRACT)), tokens })).toBe(text('says_allowItems', UNKNOWN, 'CATS'))
    expect(says({ ...acting(allowAll(CONTRACT, false)), tokens })).toBe(text('says_revoke', UNKNOWN, 'CATS'))
  })

  test('can end', () => {
    expect(says(acting(allow(CONTRACT, '0')))).toBe(text('says_revoke', UNKNOWN, 'USDC'))
  })

  test('of several amounts for one spender makes one sentence', () => {
    expect(says(acting(allow(CONTRACT, '1000000'), allow(CONTRACT, null)))).toBe(
      text('says_allow', UNKNOWN, 'all your USDC and 1 USDC'),
    )
    expect(says(acting(allow(CONTRACT, '1000000'), allowAll(CONTRACT)))).toBe(
      text('says_allow', UNKNOWN, 'all your USDC and 1 USDC'),
    )
  })

  test('comes before an equally grave payment, and larger rights and shares come first', () => {
    const both = { findings: [finding('firstRecipient', NOBODY), finding('allowanceOfMost', TOKEN)] }
    expect(says(acting(send(NOBODY), allow(CONTRACT, '1000000')), both)).toBe(
      text('says_then', text('says_allow', UNKNOWN, '1 USDC'), text('says_send', part('100 USDC', NEVER_USED))),
    )
    const most = {
      findings: [finding('mostOfAsset', NOBODY), { ...finding('unknownSpender', TOKEN), level: 'caution' } as const],
    }
    expect(says(acting(allow(CONTRACT, '1'), send(NOBODY)), most)).toBe(text('says_send', part('100 USDC', NEVER_USED)))
    expect(says(acting(allow(CONTRACT, '1'), allow(NOBODY, null)), both)).toBe(
      text(
        'says_then',
        text('says_allowEver', NO_CONTRACT, 'all your USDC'),
        startSentence(text('says_allow', UNKNOWN, '0.000001 USDC')),
      ),
    )
    expect(says(acting(allow(PROTOCOL, '1000000'), send(MIRA)))).toBe(text('says_send', part('100 USDC', 'Mira')))
  })
})

test.each<[Right, string]>([
  ['owner', text('says_right_owner', NO_CONTRACT, UNKNOWN)],
  ['admin', text('says_right_owner', NO_CONTRACT, UNKNOWN)],
  ['role', text('says_right_owner', NO_CONTRACT, UNKNOWN)],
  ['upgrade', text('says_right_upgrade', NO_CONTRACT, UNKNOWN)],
  ['name', text('says_right_name', NO_CONTRACT)],
  ['safeOwner', text('says_right_safeOwner', NO_CONTRACT, UNKNOWN)],
  ['safeModule', text('says_right_owner', NO_CONTRACT, UNKNOWN)],
  ['safeGuard', text('says_right_owner', NO_CONTRACT, UNKNOWN)],
  ['safeHandler', text('says_right_owner', NO_CONTRACT, UNKNOWN)],
  ['module', text('says_right_owner', NO_CONTRACT, UNKNOWN)],
  ['manager', text('says_right_manager', NO_CONTRACT, UNKNOWN)],
  ['credit', text('says_right_credit', NO_CONTRACT, UNKNOWN)],
  ['delegate', text('says_right_code', NO_CONTRACT, 'Trading')],
  ['code', text('says_right_code', NO_CONTRACT, UNKNOWN)],
])('the right "%s" names its new holder and its subject', (right, sentence) => {
  expect(says(acting(control(right, NOBODY)))).toBe(sentence)
})

test('a right without a new holder is given up, and a threshold has no holder', () => {
  expect(says(acting(control('owner', null)))).toBe(text('says_right_nobody', UNKNOWN))
  expect(says(acting(control('safeThreshold', null)))).toBe(text('says_right_safeThreshold', UNKNOWN))
})

test('control comes first, with the unidentified holder before others', () => {
  const findings = [finding('firstRecipient', NOBODY), finding('givesControl', 'owner')]
  const [grave, other] = [text('says_right_owner', NO_CONTRACT, UNKNOWN), text('says_right_owner', 'Mira', UNKNOWN)]
  expect(says(acting(send(NOBODY), control('owner', MIRA), control('owner', NOBODY)), { findings })).toBe(
    text('says_then', grave, other),
  )
  expect(says(acting(control('credit', NOBODY, TOKEN)))).toBe(text('says_right_credit', NO_CONTRACT, 'USDC'))
})

test('the code of a known multicall contract adds no sentence', () => {
  const parties = [...PARTIES, party(TOKEN, 'known', { name: 'Safe', role: 'safe-multisend-call-only' })]
  expect(says(acting(control('code', TOKEN), send(MIRA)), { parties })).toBe(
    text('says_send', part('100 USDC', 'Mira')),
  )
})

describe('an order', () => {
  test('says what is given and got, and where', () => {
    expect(says(acting(order()))).toBe(text('says_order', '1,000 USDC', '0.33 ETH'))
    expect(says(typed([order()], PROTOCOL))).toBe(text('says_orderBy', '1,000 USDC', '0.33 ETH', 'Harbor'))
    expect(says(typed([order()], CONTRACT))).toBe(text('says_order', '1,000 USDC', '0.33 ETH'))
    expect(says(calling(PROTOCOL, 'fill()', { acts: [order()] }))).toBe(
      text('says_orderBy', '1,000 USDC', '0.33 ETH', 'Harbor'),
    )
  })

  test('that gives nothing in return says so', () => {
    expect(says(acting(order({ gets: [] })))).toBe(text('says_order', '1,000 USDC', text('says_nothing')))
    expect(says(acting(order({ gets: [{ token: null, amount: '0', id: null }] })))).toBe(
      text('says_order', '1,000 USDC', text('says_nothing')),
    )
  })

  test('names an unidentified party that gets something', () => {
    const others = [
      { token: null, amount: '10000000000000000', id: null, to: MIRA },
      { token: null, amount: '20000000000000000', id: null, to: NOBODY },
    ]
    expect(says(acting(order({ others })))).toBe(
      text('says_orderElsewhere', '1,000 USDC', '0.33 ETH', '0.02 ETH', startSentence(NEVER_USED)),
    )
  })

  test('with more than three given assets counts the others', () => {
    const gives = ['1', '2', '3', '4', '5'].map(id => ({ token: TOKEN, amount: '1', id }))
    expect(says(acting(order({ gives })))).toBe(text('says_order', 'USDC 1, USDC 2, USDC 3, and 2 more', '0.33 ETH'))
  })
})

describe('a simulation', () => {
  const paid = [change('out', '100000000'), coinChange('in', '30000000000000000')] as const

  test('shows an exchange, a payment, receipts or nothing', () => {
    const call = (signature: string, ...changes: readonly BalanceChangeView[]) =>
      says(calling(PROTOCOL, signature, showing(...changes)))
    expect(call('swap()', ...paid)).toBe(text('says_exchange', '100 USDC', '0.03 ETH', 'Harbor'))
    expect(call('mint()', paid[0])).toBe(text('says_pay', part('100 USDC', 'Harbor')))
    expect(call('claim()', paid[1])).toBe(text('says_get', '0.03 ETH', 'Harbor'))
    expect(call('poke()')).toBe(text('says_call', 'Harbor'))
    for (const signature of ['cancel(uint256)', 'incrementCounter()', 'invalidateUnorderedNonces(uint256,uint256)'])
      expect(call(signature)).toBe(text('says_cancel', 'Harbor'))
    expect(says(calling(CONTRACT, 'claim()', showing(change('in', '40000000'))))).toBe(
      text('says_get', '40 USDC', UNKNOWN),
    )
  })

  test('shows losses that the request does not explain, and who gets them', () => {
    const findings = [finding('unexplainedLoss')]
    const loss = (...changes: readonly BalanceChangeView[]) =>
      says(calling(CONTRACT, 'claim()', showing(...changes)), { findings })
    expect(loss(change('out', '5000000000', { held: '5000000000' }))).toBe(text('says_lose', 'all your 5,000 USDC'))
    expect(loss(change('out', '1000000', { parties: [NOBODY] }))).toBe(text('says_lose', part('1 USDC', NEVER_USED)))
    expect(loss(change('out', '1000000', { parties: [NOBODY, MIRA] }))).toBe(text('says_lose', '1 USDC'))
    expect(loss(...paid)).toBe(text('says_loseFor', '100 USDC', '0.03 ETH'))
  })

  test('that differs, and a transaction that fails, make the sentence', () => {
    expect(says(calling(CONTRACT, 'claim()'), { findings: [finding('behavesDifferently')] })).toMatch(
      /different results/,
    )
    const { simulation } = showing()
    expect(says(calling(PROTOCOL, 'swap()', { simulation: { ...simulation, failure: 'too late' } }))).toBe(
      text('says_fails', '“too late”'),
    )
    expect(says(acting(send(MIRA)), { findings: [finding('likelyToFail', '"no"')] })).toBe(text('says_fails', '“"no"”'))
    expect(says(acting(send(MIRA)), { findings: [finding('likelyToFail', '', 'panicDivision')] })).toBe(
      text('says_fails', 'Division by zero'),
    )
    expect(says(acting(send(MIRA)), { findings: [finding('likelyToFail', 'x'.repeat(500))] })?.length).toBeLessThan(120)
  })

  test('of wrapping and of a bridge has its own wording', () => {
    const at = (role: string) => [
      ...PARTIES.filter(({ address }) => address !== PROTOCOL),
      party(PROTOCOL, 'known', { name: 'Harbor', role }),
    ]
    const coins = { value: TENTH, ...showing(coinChange('out', '100000000000000000'), change('in', '1')) }
    expect(says(calling(PROTOCOL, 'deposit()', coins), { parties: at('wrapped') })).toBe(text('says_wrap', '0.1 ETH'))
    expect(says(calling(PROTOCOL, 'withdraw(uint256)', showing(...paid)), { parties: at('wrapped') })).toBe(
      text('says_unwrap', '100 USDC'),
    )
    const bridged = calling(PROTOCOL, 'depositEth()', { value: TENTH })
    expect(says(bridged, { parties: at('bridge') })).toBe(text('says_bridge', '0.1 ETH', 'Harbor'))
    expect(says(bridged, { parties: at('bridge'), destination: 'Base' })).toBe(
      text('says_bridgeTo', '0.1 ETH', 'Base', 'Harbor'),
    )
  })
})

test('the proceeds of a call that go to another party name that party', () => {
  const findings = [finding('gainElsewhere', NOBODY)]
  const gain: Act = { kind: 'gain', by: PROTOCOL, to: NOBODY }
  const call = (acts: readonly Act[], more: Partial<TransactionEffect> = {}) =>
    says(calling(PROTOCOL, 'swap()', { acts, ...more }), { findings })
  expect(call([gain])).toBe(text('says_gainElsewhere', 'Harbor', NEVER_USED))
  expect(call([gain], { value: TENTH })).toBe(text('says_paysForOther', '0.1 ETH', 'Harbor', NEVER_USED))
  expect(call([{ ...gain, asset: TOKEN }], { value: TENTH })).toBe(
    text('says_paysForOtherOf', '0.1 ETH', 'Harbor', 'USDC', NEVER_USED),
  )
})

test('the calls of a batch make one sentence', () => {
  const calls = [acting(allow(PROTOCOL, '100000000')), calling(PROTOCOL, 'swap()')]
  const simulation = {
    ...showing(change('out', '100000000'), coinChange('in', '30000000000000000')).simulation,
    tried: 2,
    failed: null,
  }
  expect(says({ kind: 'calls', calls, fee: null, simulation })).toBe(
    text('says_exchange', '100 USDC', '0.03 ETH', 'Harbor'),
  )
})

test('a token is named by its list, in quotes by its contract, or not at all', () => {
  const sending = (more: object) => says({ ...acting(send(MIRA)), tokens: [{ ...usdc, ...more }] })
  expect(sending({ listed: false })).toBe(text('says_send', part('100 “USDC”', 'Mira')))
  expect(sending({ symbol: null })).toBe(text('says_send', part('100 tokens', 'Mira')))
  expect(sending({ decimals: null, balance: null })).toBe(text('says_send', part('100000000 smallest units', 'Mira')))
  expect(says({ ...acting(send(MIRA)), tokens: [] })).toBe(text('says_send', part('100000000 smallest units', 'Mira')))
  expect(says({ ...acting(allow(CONTRACT, '5')), tokens: [] })).toBe(text('says_allow', UNKNOWN, 'tokens'))
})

test('long names are cut, and the text of a name stays in its place', () => {
  const long = 'x'.repeat(500)
  const named = (name: string) => says(acting(send(MIRA)), { parties: [party(MIRA, 'contact', { name })] })
  expect(named(long)).toBe(text('says_send', part('100 USDC', `${'x'.repeat(32)}…`)))
  expect(named('$1 $2')).toBe(text('says_send', part('100 USDC', '$1 $2')))
  const symbol = (claimed: string) =>
    says({ ...acting(send(MIRA)), tokens: [{ ...usdc, symbol: claimed, listed: false }] })
  expect(symbol(long)).toBe(text('says_send', part(`100 “${'x'.repeat(32)}…”`, 'Mira')))
  expect(symbol('\u202eCDSU\n')).toBe('You send 100 “\u202eCDSU\n” to Mira')
})

test('a request with no known effects has no sentence', () => {
  expect(says(acting())).toBeUndefined()
  expect(says(transaction({ data: '0x6001' }))).toBeUndefined()
  expect(says({ kind: 'connect', accounts: [], connected: [], only: null })).toBeUndefined()
})
