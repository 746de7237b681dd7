import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { review, TOKEN } from './forms.fixture.ts'

const ZERO = `0x${'0'.repeat(40)}`
const SAFE = '0x1de75C8A5DF8a7FEE3579e1d203136815C2c2100'
const control = (right: string, more: object = {}) => ({ kind: 'control', right, of: TOKEN, to: SECOND, ...more })

test('permits for items', () => {
  const one = { spender: 'address', tokenId: 'uint256', nonce: 'uint256', deadline: 'uint256' }
  expect(review('Permit', { Permit: one }, { spender: SECOND, tokenId: 7, nonce: 0, deadline: 99 })).toMatchObject({
    form: 'permit',
    acts: [{ kind: 'allow', token: TOKEN, spender: SECOND, amount: '1', until: '99', adds: false, id: '7' }],
  })
  const all = { operator: 'address', approved: 'bool', nonce: 'uint256', deadline: 'uint256' }
  const signed = { operator: SECOND, approved: true, nonce: 0, deadline: 99 }
  expect(review('PermitForAll', { PermitForAll: all }, signed)).toMatchObject({
    form: 'permit',
    acts: [{ kind: 'allowAll', token: TOKEN, spender: SECOND, allowed: true }],
  })
})

test('managers of Compound and Morpho', () => {
  const comet = { owner: 'address', manager: 'address', isAllowed: 'bool', nonce: 'uint256', expiry: 'uint256' }
  const signed = { owner: ADDRESS, manager: SECOND, isAllowed: true, nonce: 0, expiry: 99 }
  const read = (more: object) => review('Authorization', { Authorization: comet }, { ...signed, ...more })
  expect(read({})).toMatchObject({ form: 'authorization', acts: [control('manager')], names: [] })
  expect(read({ isAllowed: false })).toMatchObject({ form: 'authorization', acts: [] })
  const morpho = {
    authorizer: 'address',
    authorized: 'address',
    isAuthorized: 'bool',
    nonce: 'uint256',
    deadline: 'uint256',
  }
  const given = { authorizer: ADDRESS, authorized: SECOND, isAuthorized: true, nonce: 0, deadline: 99 }
  expect(review('Authorization', { Authorization: morpho }, given)).toMatchObject({ acts: [control('manager')] })
  expect(
    review('Authorization', { Authorization: { ...morpho, isAuthorized: 'uint8' } }, { ...given, isAuthorized: 1 }),
  ).toMatchObject({ form: null })
})

test('credit at Aave, and votes', () => {
  const credit = { delegatee: 'address', value: 'uint256', nonce: 'uint256', deadline: 'uint256' }
  const signed = (value: number) =>
    review('DelegationWithSig', { DelegationWithSig: credit }, { delegatee: SECOND, value, nonce: 0, deadline: 99 })
  expect(signed(5)).toMatchObject({ form: 'authorization', acts: [control('credit')] })
  expect(signed(0)).toMatchObject({ form: 'authorization', acts: [] })
  const votes = { delegatee: 'address', nonce: 'uint256', expiry: 'uint256' }
  const message = { delegatee: SECOND, nonce: 0, expiry: 99 }
  expect(review('Delegation', { Delegation: votes }, message)).toMatchObject({ form: 'calm', acts: [] })
  expect(
    review('Delegation', { Delegation: { ...votes, amount: 'uint256' } }, { ...message, amount: 1 }),
  ).toMatchObject({
    form: null,
  })
  const cancel = { authorizer: 'address', nonce: 'bytes32' }
  const nonce = `0x${'00'.repeat(32)}`
  expect(review('CancelAuthorization', { CancelAuthorization: cancel }, { authorizer: ADDRESS, nonce })).toMatchObject({
    form: 'calm',
  })
})

test('an authorization of the zero address revokes a delegation', () => {
  const Authorization = { chainId: 'uint256', address: 'address', nonce: 'uint64' }
  expect(review('Authorization', { Authorization }, { chainId: 1, address: ZERO, nonce: 0 })).toMatchObject({
    form: 'authorization',
    acts: [],
    names: ['danger handsOverAccount'],
  })
})

test('Snapshot messages move nothing, unless their domain names a chain or a contract', () => {
  const Vote = { from: 'address', space: 'string', timestamp: 'uint64', choice: 'uint32' }
  const message = { from: ADDRESS, space: 'aave.eth', timestamp: 1, choice: 1 }
  const vote = (domain: object, type = 'Vote') => review(type, { [type]: Vote }, message, domain)
  const domain = { name: 'snapshot', version: '0.1.4' }
  expect(vote(domain)).toMatchObject({ form: 'calm', acts: [], names: [] })
  expect(vote({ ...domain, chainId: 1 }).form).toBeNull()
  expect(vote({ ...domain, verifyingContract: TOKEN }).form).toBeNull()
  expect(vote({ ...domain, name: 'snapshots' }).form).toBeNull()
  expect(vote(domain, 'Alias').form).toBeNull()
})

test('balances and agents at Hyperliquid', () => {
  const domain = { name: 'HyperliquidSignTransaction', version: '1', chainId: 42161, verifyingContract: ZERO }
  const withdrawal = { hyperliquidChain: 'string', destination: 'string', amount: 'string', time: 'uint64' }
  const signed = { hyperliquidChain: 'Mainnet', destination: SECOND.toLowerCase(), amount: '5000', time: 1 }
  const read = (name: string, more: object = {}, other: object = domain) =>
    review(name, { [name]: withdrawal }, { ...signed, ...more }, other)
  for (const name of ['Withdraw', 'UsdSend'])
    expect(read(`HyperliquidTransaction:${name}`)).toMatchObject({
      form: 'withdrawal',
      acts: [{ kind: 'gain', by: ZERO, to: SECOND }],
    })
  expect(read('HyperliquidTransaction:Withdraw', { destination: 'me' }).form).toBeNull()
  expect(read('HyperliquidTransaction:Withdraw', { amount: '1 x' }).form).toBeNull()
  expect(read('HyperliquidTransaction:Withdraw', {}, { ...domain, name: 'Other' }).form).toBeNull()
  const agent = { hyperliquidChain: 'string', agentAddress: 'address', agentName: 'string', nonce: 'uint64' }
  const name = 'HyperliquidTransaction:ApproveAgent'
  const approved = { hyperliquidChain: 'Mainnet', agentAddress: SECOND, agentName: '', nonce: 1 }
  expect(review(name, { [name]: agent }, approved, domain)).toMatchObject({
    form: 'authorization',
    acts: [control('manager', { of: ZERO })],
  })
})

const PERMIT = { owner: 'address', spender: 'address', value: 'uint256', nonce: 'uint256', deadline: 'uint256' }
const SIGNED = {
  contents: 'Permit',
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
}

test("a nested signature's contents are read as their own form", () => {
  const nested = (contents: string, types: object, value: unknown) =>
    review(
      'TypedDataSign',
      { TypedDataSign: { ...SIGNED, contents }, ...types },
      { contents: value, name: 'a', version: '1', chainId: 1, verifyingContract: SAFE, salt: `0x${'00'.repeat(32)}` },
    )
  const permit = { owner: SAFE, spender: SECOND, value: 5, nonce: 0, deadline: 99 }
  expect(nested('Permit', { Permit: PERMIT }, permit)).toMatchObject({
    form: 'permit',
    acts: [{ kind: 'allow', token: TOKEN, spender: SECOND, amount: '5' }],
  })
  expect(nested('Mail', { Mail: { text: 'string' } }, { text: 'x' }).form).toBeNull()
  expect(nested('string', {}, 'x').form).toBeNull()
  // The smart account is the signer, so an order that pays it counts as paying the account.
  const cow = {
    sellToken: 'address',
    buyToken: 'address',
    receiver: 'address',
    sellAmount: 'uint256',
    buyAmount: 'uint256',
  }
  const order = { sellToken: TOKEN, buyToken: SECOND, receiver: SAFE, sellAmount: 5, buyAmount: 7 }
  expect(nested('Order', { Order: cow }, order).acts).toMatchObject([{ gets: [{ amount: '7' }] }])
})

test("hashes and bytes in an account's name are an unknown form", () => {
  const hash = `0x${'12'.repeat(32)}`
  for (const name of ['Root', 'Kernel', 'CoinbaseSmartWalletMessage'])
    expect(review(name, { [name]: { hash: 'bytes32' } }, { hash }).form).toBeNull()
  for (const name of ['SafeMessage', 'LightAccountMessage', 'PersonalSign'])
    expect(review(name, { [name]: { message: 'bytes' } }, { message: hash }).form).toBeNull()
})
