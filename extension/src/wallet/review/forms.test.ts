import type { Hex } from '@heliograph/shared/evm/hex'
import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { review, TOKEN } from './forms.fixture.ts'

const OTHER_TOKEN = '0x253d832c2719B1f7078A453d5a35a1a509C2ED81'
const ZERO = `0x${'0'.repeat(40)}`
const MAX = (bits: bigint) => String((1n << bits) - 1n)

const PERMIT = { owner: 'address', spender: 'address', value: 'uint256', nonce: 'uint256', deadline: 'uint256' }
const permit = (more: object = {}, domain?: object) =>
  review(
    'Permit',
    { Permit: PERMIT },
    { owner: ADDRESS, spender: SECOND, value: '5', nonce: 0, deadline: 99, ...more },
    domain,
  )

test('a permit is an allowance with an expiry', () => {
  expect(permit()).toMatchObject({
    form: 'permit',
    acts: [{ kind: 'allow', token: TOKEN, spender: SECOND, amount: '5', until: '99', adds: false }],
    names: [],
  })
})

test('an unlimited permit has no amount', () => {
  for (const value of [MAX(256n), String(1n << 255n)]) {
    expect(permit({ value })).toMatchObject({ acts: [{ amount: null }] })
  }
})

test('a permit without a contract is for unknown tokens', () => {
  expect(permit({}, { name: 'USD Coin' })).toMatchObject({ form: null, acts: [] })
})

test("DAI's permit allows everything or nothing", () => {
  const types = { holder: 'address', spender: 'address', nonce: 'uint256', expiry: 'uint256', allowed: 'bool' }
  const dai = (allowed: boolean) =>
    review('Permit', { Permit: types }, { holder: ADDRESS, spender: SECOND, nonce: 0, expiry: 0, allowed })
  expect(dai(true)).toMatchObject({ form: 'daiPermit', acts: [{ amount: null, until: null }] })
  expect(dai(false)).toMatchObject({ acts: [{ amount: '0' }] })
})

const DETAILS = { token: 'address', amount: 'uint160', expiration: 'uint48', nonce: 'uint48' }
const detail = (more: object = {}) => ({ token: TOKEN, amount: '5', expiration: '99', nonce: 0, ...more })

test('Permit2 allows one token, or several, for one spender', () => {
  const types = (details: string) => ({ details, spender: 'address', sigDeadline: 'uint256' })
  const one = review(
    'PermitSingle',
    { PermitSingle: types('PermitDetails'), PermitDetails: DETAILS },
    { details: detail(), spender: SECOND, sigDeadline: 1 },
  )
  expect(one).toMatchObject({ form: 'permit2', acts: [{ token: TOKEN, spender: SECOND, amount: '5', until: '99' }] })
  const several = review(
    'PermitBatch',
    { PermitBatch: types('PermitDetails[]'), PermitDetails: DETAILS },
    { details: [detail(), detail({ token: OTHER_TOKEN, amount: MAX(160n) })], spender: SECOND, sigDeadline: 1 },
  )
  expect(several.acts).toMatchObject([{ amount: '5' }, { token: OTHER_TOKEN, amount: null }])
})

test('Permit2 signature transfers, with and without a witness', () => {
  const permitted = { token: 'address', amount: 'uint256' }
  const shared = { spender: 'address', nonce: 'uint256', deadline: 'uint256' }
  const signed = { spender: SECOND, nonce: 0, deadline: 99 }
  const one = review(
    'PermitWitnessTransferFrom',
    {
      PermitWitnessTransferFrom: { permitted: 'TokenPermissions', ...shared, witness: 'Order' },
      TokenPermissions: permitted,
      Order: { reactor: 'address' },
    },
    { permitted: { token: TOKEN, amount: '5' }, ...signed, witness: { reactor: SECOND } },
  )
  expect(one).toMatchObject({
    form: 'permit2Transfer',
    acts: [{ token: TOKEN, spender: SECOND, amount: '5', until: '99' }],
  })
  const none = review(
    'PermitBatchTransferFrom',
    { PermitBatchTransferFrom: { permitted: 'TokenPermissions[]', ...shared }, TokenPermissions: permitted },
    { permitted: [], ...signed },
  )
  expect(none).toMatchObject({ form: null })
})

test('an EIP-3009 authorization is a transfer', () => {
  const types = {
    from: 'address',
    to: 'address',
    value: 'uint256',
    validAfter: 'uint256',
    validBefore: 'uint256',
    nonce: 'bytes32',
  }
  const message = {
    from: ADDRESS,
    to: SECOND,
    value: '5',
    validAfter: 0,
    validBefore: 99,
    nonce: `0x${'0'.repeat(64)}`,
  }
  const transfer = (to: string) =>
    review('TransferWithAuthorization', { TransferWithAuthorization: types }, { ...message, to })
  expect(transfer(SECOND)).toMatchObject({
    form: 'transferAuthorization',
    acts: [{ kind: 'transfer', token: TOKEN, from: ADDRESS, to: SECOND, amount: '5', id: null }],
  })
})

const ITEM = {
  itemType: 'uint8',
  token: 'address',
  identifierOrCriteria: 'uint256',
  startAmount: 'uint256',
  endAmount: 'uint256',
}
const seaport = (offer: object[], consideration: object[]) =>
  review(
    'OrderComponents',
    {
      OrderComponents: {
        offerer: 'address',
        offer: 'OfferItem[]',
        consideration: 'ConsiderationItem[]',
        endTime: 'uint256',
      },
      OfferItem: ITEM,
      ConsiderationItem: { ...ITEM, recipient: 'address' },
    },
    { offerer: ADDRESS, offer, consideration, endTime: 99 },
  )
const item = (more: object = {}) => ({
  itemType: 1,
  token: TOKEN,
  identifierOrCriteria: 0,
  startAmount: 5,
  endAmount: 5,
  ...more,
})

test("a Seaport order gives the offer and gets the account's items, at their worst amounts", () => {
  const { form, acts } = seaport(
    [
      item({ itemType: 2, identifierOrCriteria: '4821', startAmount: 1, endAmount: 1 }),
      item({ startAmount: 3, endAmount: 9 }),
    ],
    [
      { ...item({ itemType: 0, token: ZERO, startAmount: 9, endAmount: 7 }), recipient: ADDRESS },
      { ...item({ itemType: 0, token: ZERO }), recipient: SECOND },
    ],
  )
  expect(form).toBe('order')
  expect(acts).toEqual([
    {
      kind: 'order',
      gives: [
        { token: TOKEN, amount: '1', id: '4821' },
        { token: TOKEN, amount: '9', id: null },
      ],
      gets: [{ token: null, amount: '7', id: null }],
      others: [{ token: null, amount: '5', id: null, to: SECOND }],
      until: '99',
    },
  ])
})

test('a criteria-based item is marked as such', () => {
  const own = [{ ...item(), recipient: ADDRESS }]
  for (const itemType of [4, 5]) {
    const set = item({ itemType, identifierOrCriteria: '7', startAmount: 1, endAmount: 1 })
    expect(seaport([set], own).acts).toMatchObject([{ gives: [{ id: '7', ofSet: true }] }])
    expect(seaport([item()], [{ ...item({ itemType }), recipient: ADDRESS }]).acts).toMatchObject([
      { gets: [{ ofSet: true }] },
    ])
  }
})

test('every order in a bulk order is read, at any depth of the tree', () => {
  const bulk = (tree: unknown, brackets: string) =>
    review(
      'BulkOrder',
      {
        BulkOrder: { tree: `OrderComponents${brackets}` },
        OrderComponents: { offerer: 'address', offer: 'OfferItem[]', consideration: 'ConsiderationItem[]' },
        OfferItem: ITEM,
        ConsiderationItem: { ...ITEM, recipient: 'address' },
      },
      { tree },
    )
  const fair = { offerer: ADDRESS, offer: [item()], consideration: [{ ...item(), recipient: ADDRESS }] }
  const theft = { ...fair, consideration: [] }
  const nobody = { offerer: ZERO, offer: [], consideration: [] }
  expect(bulk([fair, fair], '[2]')).toMatchObject({ form: 'bulkOrder', names: [] })
  const nested = [
    [fair, fair],
    [theft, nobody],
  ]
  expect(bulk(nested, '[2][2]').acts).toHaveLength(3)
  expect(bulk(nested, '[2][2]').acts).toMatchObject([{}, {}, { gets: [] }])
  expect(bulk([fair, { ...fair, offer: [] }], '[2]').names).toEqual(['caution unknownFormat'])
  expect(bulk([nobody, nobody], '[2]').form).toBeNull()
})

test("others' shares of a Seaport order are read at the amounts that are best for them", () => {
  const rising = { ...item({ startAmount: 0, endAmount: 9 }) }
  expect(seaport([item()], []).acts).toMatchObject([{ gets: [] }])
  expect(seaport([item()], [{ ...rising, recipient: SECOND }]).acts).toMatchObject([
    { gets: [], others: [{ amount: '9', to: SECOND }] },
  ])
  expect(seaport([item()], [{ ...rising, recipient: ADDRESS }]).acts).toMatchObject([{ gets: [{ amount: '0' }] }])
})

test('CoW, 0x and 1inch orders are read, with their receivers', () => {
  const cow = {
    sellToken: 'address',
    buyToken: 'address',
    receiver: 'address',
    sellAmount: 'uint256',
    buyAmount: 'uint256',
    validTo: 'uint32',
  }
  const message = {
    sellToken: TOKEN,
    buyToken: OTHER_TOKEN,
    receiver: ADDRESS,
    sellAmount: '5',
    buyAmount: '7',
    validTo: 99,
  }
  const order = (receiver: string) => review('Order', { Order: cow }, { ...message, receiver })
  const gets = [{ token: OTHER_TOKEN, amount: '7', id: null }]
  const whole = { kind: 'order', gives: [{ token: TOKEN, amount: '5', id: null }], gets, until: '99' }
  for (const receiver of [ADDRESS, ZERO]) expect(order(receiver)).toMatchObject({ form: 'order', acts: [whole] })
  expect(order(SECOND)).toMatchObject({ acts: [{ gets: [], others: [{ ...gets[0], to: SECOND }] }] })
  const withFee = review('Order', { Order: { ...cow, feeAmount: 'uint256' } }, { ...message, feeAmount: '2' })
  expect(withFee).toMatchObject({ acts: [{ gives: [{ token: TOKEN, amount: '7' }] }] })
  const zeroEx = {
    makerToken: 'address',
    takerToken: 'address',
    makerAmount: 'uint128',
    takerAmount: 'uint128',
    expiry: 'uint64',
  }
  expect(
    review(
      'LimitOrder',
      { LimitOrder: zeroEx },
      { makerToken: TOKEN, takerToken: OTHER_TOKEN, makerAmount: 5, takerAmount: 7, expiry: 99 },
    ),
  ).toMatchObject({ acts: [whole] })
})

test('a known name with other fields or types is an unknown form', () => {
  expect(review('Order', { Order: { text: 'string' } }, { text: 'x' }).form).toBeNull()
  const strings = { ...PERMIT, value: 'string' }
  const message = { owner: ADDRESS, spender: SECOND, value: '5', nonce: 0, deadline: 99 }
  expect(review('Permit', { Permit: strings }, message)).toMatchObject({ form: null })
})

const approve: Hex = `0x095ea7b3${SECOND.slice(2).toLowerCase().padStart(64, '0')}${'ff'.repeat(32)}`
const SAFE = '0x1de75C8A5DF8a7FEE3579e1d203136815C2c2100'
const unlimited = { kind: 'allow', token: TOKEN, spender: SECOND, amount: null }

test('a Safe transaction is read as its call, and a delegatecall as control', () => {
  const SAFE_TX = { to: 'address', value: 'uint256', data: 'bytes', operation: 'uint8', nonce: 'uint256' }
  const safe = (more: object) =>
    review(
      'SafeTx',
      { SafeTx: SAFE_TX },
      { to: TOKEN, value: '0', data: approve, operation: 0, nonce: 1, ...more },
      { verifyingContract: SAFE },
    )
  expect(safe({})).toMatchObject({ form: 'safeTransaction', acts: [unlimited] })
  expect(safe({ data: `0xa9059cbb${approve.slice(10)}` }).acts).toMatchObject([{ kind: 'transfer', from: SAFE }])
  const code = { kind: 'control', right: 'code', of: SAFE, to: TOKEN }
  expect(safe({ operation: 1 }).acts).toMatchObject([code, unlimited])
  expect(safe({ operation: 1, data: '0x' }).acts).toEqual([code])
  expect(safe({ value: '5', data: '0x' }).payments).toEqual([{ from: SAFE, to: TOKEN, value: '5' }])
  expect(safe({ data: '0xdeadbeef' }).unread).toBe(true)
})

test('user operations, forward requests and meta transactions are read as their calls', () => {
  const OPERATION = { sender: 'address', nonce: 'uint256', initCode: 'bytes', callData: 'bytes' }
  const callData = new Interface(['function execute(address, uint256, bytes)']).encodeFunctionData('execute', [
    TOKEN,
    0,
    approve,
  ])
  const operation = { sender: SAFE, nonce: 1, initCode: '0x', callData }
  expect(review('PackedUserOperation', { PackedUserOperation: OPERATION }, operation)).toMatchObject({
    form: 'userOperation',
    acts: [unlimited],
  })
  const REQUEST = { from: 'address', to: 'address', value: 'uint256', gas: 'uint256', nonce: 'uint256', data: 'bytes' }
  const request = { from: ADDRESS, to: TOKEN, value: 0, gas: 1, nonce: 1, data: approve }
  expect(review('ForwardRequest', { ForwardRequest: REQUEST }, request)).toMatchObject({
    form: 'forwardRequest',
    acts: [unlimited],
  })
  const META = { nonce: 'uint256', from: 'address', functionSignature: 'bytes' }
  const meta = { nonce: 1, from: ADDRESS, functionSignature: approve }
  expect(review('MetaTransaction', { MetaTransaction: META }, meta)).toMatchObject({ acts: [unlimited] })
})

test('an EIP-7702 authorization anywhere in the data hands over the account', () => {
  const Authorization = { chainId: 'uint256', address: 'address', nonce: 'uint64' }
  const authorization = { chainId: 1, address: SECOND, nonce: 0 }
  const signed = review('Authorization', { Authorization }, authorization)
  expect(signed).toMatchObject({
    form: 'authorization',
    acts: [{ kind: 'control', right: 'delegate', of: ADDRESS, to: SECOND }],
    names: ['danger handsOverAccount'],
  })
  const types = { Mail: { list: 'Authorization[]' }, Authorization }
  expect(review('Mail', types, { list: [authorization] }).names).toContain('danger handsOverAccount')
  const other = { Authorization: { chainId: 'uint256', authorized: 'address', nonce: 'uint256', deadline: 'uint256' } }
  const manager = { chainId: 1, authorized: SECOND, nonce: 0, deadline: 1 }
  expect(review('Authorization', other, manager)).toMatchObject({ form: null, names: [] })
})
