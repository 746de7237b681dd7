import { expect, test } from 'vitest'
import {
  type AccountView,
  type Effect,
  PERMIT2,
  type TokenAct,
  type TokenView,
  type TransactionEffect,
} from '../../messages.ts'
import { headlineOf } from './headline.ts'
import { NO_BREAK_SPACE } from './numbers.ts'
import { network } from './summary.fixture.ts'

const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const mira = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'

const account: AccountView = { address: mira, name: 'Trading', kind: 'privateKey', phraseId: null }
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const usdc: TokenView = { address: token, symbol: 'USDC', decimals: 6, balance: '1250000000', listed: true }

const BARE: TransactionEffect = {
  kind: 'transaction',
  broadcast: true,
  to: mira,
  value: '0x0',
  data: '0x',
  nonce: null,
  call: null,
  acts: [],
  tokens: [usdc],
  limit: null,
  fee: { gas: '0x0', used: '0x5208', expected: '0x0', atMost: '0x0' },
}
const transaction = (more: Partial<TransactionEffect>) =>
  headlineOf({ network, account, effect: { ...BARE, tokens: [], ...more } })

test('a transfer names the amount and the recipient', () => {
  const { title, party } = transaction({ value: '0x6f05b59d3b20000' })
  expect(title).toMatch(new RegExp(`^Send 0.5${NO_BREAK_SPACE}ETH$`))
  expect(party).toEqual({ label: 'To', address: mira, of: 'account' })
})

const calling = (signature: string) => ({ name: signature.replace(/\(.*/, ''), signature, args: [] })
const SIGNATURES = {
  transfer: 'transfer(address,uint256)',
  allow: 'approve(address,uint256)',
  allowAll: 'setApprovalForAll(address,bool)',
  order: 'fill()',
}
/** Returns a transaction with this act alone: a direct call of the token's own function. */
const call = (
  act: TokenAct,
  tokens: readonly TokenView[] = [usdc],
  more: Partial<Extract<Effect, { kind: 'transaction' }>> = {},
) => transaction({ to: token, data: '0x12345678', call: calling(SIGNATURES[act.kind]), acts: [act], tokens, ...more })
const transfer: TokenAct = { kind: 'transfer', token, from: mira, to: other, amount: '250000000', id: null }
const allow: TokenAct = { kind: 'allow', token, spender: other, amount: '250000000', until: null, adds: false }
const plain = (title: string) => title.replaceAll(NO_BREAK_SPACE, ' ')

test('a known call names its action, amount, token and recipient', () => {
  expect(plain(call(transfer).title)).toBe('Send 250 USDC')
  expect(call(transfer).party).toEqual({ label: 'To', address: other, of: 'account' })
  expect(plain(call({ ...transfer, from: other }).title)).toBe('Move 250 USDC')
  expect(plain(call(allow).title)).toBe('Allow spending of 250 USDC')
  expect(call(allow).party).toBeNull()
  expect(plain(call({ ...allow, adds: true }).title)).toBe('Allow spending of 250 USDC more')
  expect(call({ ...allow, amount: null }).title).toBe('Allow spending of all your USDC')
  expect(call({ ...allow, amount: '0' }).title).toBe('Revoke allowance for USDC')
  const all: TokenAct = { kind: 'allowAll', token, spender: other, allowed: true }
  expect(call(all).title).toBe('Allow moving a whole collection')
  expect(call({ ...all, allowed: false }).title).toBe('Revoke access to a whole collection')
})

test('a name claimed by a contract is quoted; without known decimals no amount is shown', () => {
  expect(plain(call(transfer, [{ ...usdc, listed: false }]).title)).toBe('Send 250 “USDC”')
  for (const tokens of [[], [{ ...usdc, decimals: null }], [{ ...usdc, symbol: null }]]) {
    expect(call(transfer, tokens).title).toBe('Send tokens')
    expect(call(allow, tokens).title).toBe('Allow spending of tokens')
  }
  expect(call({ ...allow, amount: null }, []).title).toBe('Allow spending of all your tokens')
  expect(call({ ...transfer, id: '7' }).title).toBe('Send tokens')
  const both = { acts: [transfer, allow], call: calling('multicall(bytes[])') }
  expect(call(transfer, [usdc], both).title).toBe('Contract call')
})

test('a call that also sends coins is titled by them, with the contract that gets them', () => {
  const value = '0x56bc75e2d63100000'
  const onContract = { label: 'On contract', address: token, of: 'contract' }
  for (const act of [transfer, allow]) {
    const { title, party } = call(act, [usdc], { value })
    expect(plain(title)).toBe('Contract call with 100 ETH')
    expect(party).toEqual(onContract)
  }
  expect(plain(transaction({ to: token, data: '0xdeadbeef', value }).title)).toBe('Contract call with 100 ETH')
})

test('an act is the title only if it is the call itself, on the token or on Permit2', () => {
  const onContract = (to: string) => ({ label: 'On contract', address: to, of: 'contract' })
  const nested = ['multicall(bytes[])', 'execute(address,uint256,bytes)', 'unknown()']
  for (const signature of nested)
    expect(call(transfer, [usdc], { call: calling(signature) })).toMatchObject({
      title: 'Contract call',
      party: onContract(token),
    })
  expect(call(transfer, [usdc], { call: null }).title).toBe('Contract call')
  const permit2 = { call: calling('approve(address,address,uint160,uint48)') }
  expect(plain(call(allow, [usdc], { ...permit2, to: PERMIT2 }).title)).toBe('Allow spending of 250 USDC')
  const imitated = call(allow, [usdc], { ...permit2, to: other })
  expect(imitated).toMatchObject({ title: 'Contract call', party: onContract(other) })
})

test("an allowance with the user's own limit is a changed transaction", () => {
  const changed = transaction({ to: token, data: '0x095ea7b3', limit: { asked: '1', changed: true } })
  expect(changed.kind).toBe('Transaction, changed by you')
})

test('an undecoded call is titled as a contract call', () => {
  expect(transaction({ data: '0xdeadbeef' }).title).toBe('Contract call')
  expect(transaction({ to: null, data: '0x6080' })).toMatchObject({ title: 'Deploy a contract', party: null })
})

test('a transaction that is signed but not sent says so', () => {
  expect(transaction({ broadcast: false })).toMatchObject({
    kind: 'Transaction, signed but not sent',
    note: 'The site gets the signed transaction and can send it at any time.',
  })
})

const message = (more: Partial<Extract<Effect, { kind: 'message' }>>) =>
  headlineOf({
    network,
    account,
    effect: { kind: 'message', bytes: '0x00ff', text: 'hi', signedAs: '', signIn: null, ...more },
  })
const typed = (more: Partial<Extract<Effect, { kind: 'typedData' }>>) =>
  headlineOf({
    network,
    account,
    effect: {
      kind: 'typedData',
      domain: [],
      primaryType: 'Mail',
      message: { name: '', type: 'Mail', value: [] },
      json: '{}',
      form: null,
      acts: [],
      tokens: [usdc],
      ...more,
    },
  })

test('a message is titled as text, as a number of bytes or as a sign-in', () => {
  expect(message({}).title).toBe('Sign a message')
  expect(message({ text: null }).title).toBe('Sign 2 bytes of data')
  const signIn = {
    scheme: null,
    domain: 'harbor.example',
    address: mira,
    statement: null,
    uri: 'https://harbor.example',
    chainId: 1,
    nonce: '12345678',
    issuedAt: '',
    expires: null,
    notBefore: null,
    requestId: null,
    resources: [],
  }
  expect(message({ signIn })).toMatchObject({ kind: 'Sign-in message (EIP-4361)', title: 'Sign in to harbor.example' })
})

test('a type name is cut and quoted; typed data of a known form names its effect', () => {
  expect(typed({ primaryType: 'x'.repeat(100) }).title).toBe(`Sign “${'x'.repeat(32)}…”`)
  const permit = typed({ form: 'permit', acts: [allow] })
  expect(permit).toMatchObject({
    kind: 'Permit signature (EIP-2612)',
    note: 'No fee. Takes effect when the spender uses it.',
  })
  expect(plain(permit.title)).toBe('Allow spending of 250 USDC')
  expect(typed({ form: 'permit2', acts: [allow, allow] }).title).toBe('Allow spending of 2 tokens')
  const gives = [{ token, amount: '1000000', id: null }]
  const order: TokenAct = { kind: 'order', gives, gets: gives, until: null }
  expect(plain(typed({ form: 'order', acts: [order] }).title)).toBe('Give 1 USDC for 1 USDC')
  expect(typed({ form: 'order', acts: [{ ...order, gets: [] }] }).title).toBe('Sign an order')
  expect(typed({ form: 'order', acts: [{ ...order, gives: [{ token, amount: '1', id: '7' }] }] }).title).toBe(
    'Sign an order',
  )
})

test('with parties, the title says what the request does, and starts with a capital letter', () => {
  const effect = { ...BARE, acts: [{ ...allow, spender: other }], to: token, data: '0x095ea7b3' }
  const parties = [{ address: other, kind: 'contract', name: null } as const]
  const { title, kind } = headlineOf({ network, account, effect, parties, findings: [] })
  expect(plain(title)).toBe('An unknown contract (0x7099…79C8) may take 250 USDC')
  expect(kind).toBe('Transaction')
  expect(plain(headlineOf({ network, account, effect }).title)).not.toContain('may take')
})

test('with parties, a request without a sentence has its general title', () => {
  const effect: Effect = { kind: 'connect', accounts: [], connected: [], only: null }
  const { title } = headlineOf({ network, account, effect })
  expect(headlineOf({ network, account, effect, parties: [], findings: [] }).title).toBe(title)
})
