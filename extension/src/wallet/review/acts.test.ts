import type { Hex } from '@heliograph/shared/evm/hex'
import { Interface, MaxUint256 } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { readCall } from './call.ts'

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const OTHER = '0x253d832c2719B1f7078A453d5a35a1a509C2ED81'
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** Returns the acts of a call to a token, without the act that reports the call itself. */
const read = (text: string, ...args: unknown[]) => {
  const abi = new Interface([`function ${text}`])
  const [fragment] = abi.fragments
  const data = abi.encodeFunctionData(fragment?.format() ?? '', args) as Hex
  const { acts } = readCall({ from: ADDRESS, to: TOKEN, data })
  return { acts: acts.filter(({ kind }) => kind !== 'call') }
}

test('transfers have a sender, a recipient and an amount', () => {
  const transfer = { kind: 'transfer', token: TOKEN, from: ADDRESS, to: SECOND, amount: '5', id: null }
  expect(read('transfer(address to, uint256 value)', SECOND, 5).acts).toEqual([transfer])
  expect(read('transferFrom(address from, address to, uint256 value)', SECOND, ADDRESS, 5).acts).toEqual([
    { ...transfer, from: SECOND, to: ADDRESS },
  ])
  expect(read('safeTransferFrom(address from, address to, uint256 tokenId)', ADDRESS, SECOND, 7).acts).toEqual([
    { ...transfer, amount: '1', id: '7' },
  ])
  expect(
    read(
      'safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
      ADDRESS,
      SECOND,
      7,
      5,
      '0x',
    ).acts,
  ).toEqual([{ ...transfer, id: '7' }])
  expect(
    read(
      'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
      ADDRESS,
      SECOND,
      [7, 8],
      [5, 6],
      '0x',
    ).acts,
  ).toEqual([
    { ...transfer, id: '7' },
    { ...transfer, id: '8', amount: '6' },
  ])
  expect(
    read('transferFrom((address from, address to, uint160 value, address token)[] transferDetails)', [
      [ADDRESS, SECOND, 5, SECOND],
    ]).acts,
  ).toEqual([{ ...transfer, token: SECOND }])
})

test('allowances have a spender, an amount and an expiry', () => {
  const allow = { kind: 'allow', token: TOKEN, spender: SECOND, amount: '5', until: null, adds: false }
  expect(read('approve(address spender, uint256 value)', SECOND, 5).acts).toEqual([allow])
  expect(read('approve(address spender, uint256 value)', SECOND, MaxUint256).acts).toEqual([
    { ...allow, amount: null, asked: String(MaxUint256) },
  ])
  expect(read('increaseAllowance(address spender, uint256 value)', SECOND, 5).acts).toEqual([{ ...allow, adds: true }])
  expect(
    read('approve(address token, address spender, uint160 value, uint48 expiration)', ADDRESS, SECOND, 5, 99).acts,
  ).toEqual([{ ...allow, token: ADDRESS, until: '99' }])
  const permit2 =
    'permit(address owner, ((address token, uint160 value, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)'
  expect(read(permit2, ADDRESS, [[[ADDRESS, 5, 99, 0]], SECOND, 1], '0x').acts).toEqual([
    { ...allow, token: ADDRESS, until: '99' },
  ])
  expect(read('setApprovalForAll(address operator, bool approved)', SECOND, false).acts).toEqual([
    { kind: 'allowAll', token: TOKEN, spender: SECOND, allowed: false },
  ])
})

test('lists of different lengths have no act without a token or an amount', () => {
  const moves = (signed: string, witness: string, values: readonly unknown[]) =>
    read(
      `${signed}(((address token, uint256 amount)[] permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 value)[] transferDetails, address owner, ${witness}bytes signature)`,
      ...values,
    ).acts
  const to = [SECOND, 5]
  const permitted = [OTHER, 9]
  const moved = { kind: 'transfer', token: OTHER, from: ADDRESS, to: SECOND, amount: '5', id: null }
  for (const [permits, details, expected] of [
    [[permitted], [to, to], [moved]],
    [[permitted, permitted], [to], [moved]],
    [[], [to], []],
  ]) {
    const start = [[permits, 0, 1], details, ADDRESS]
    expect(moves('permitTransferFrom', '', [...start, '0x'])).toEqual(expected)
    expect(
      moves('permitWitnessTransferFrom', 'bytes32 witness, string witnessTypeString, ', [
        ...start,
        `0x${'00'.repeat(32)}`,
        '',
        '0x',
      ]),
    ).toEqual(expected)
  }
  const batch = 'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)'
  const item = { kind: 'transfer', token: TOKEN, from: ADDRESS, to: SECOND }
  expect(read(batch, ADDRESS, SECOND, [7, 8], [5], '0x').acts).toEqual([
    { ...item, id: '7', amount: '5' },
    { ...item, id: '8', amount: '1' },
  ])
})

test('nested calls are read, and unknown calls have no acts', () => {
  const inner = new Interface(['function transfer(address to, uint256 value)']).encodeFunctionData('transfer', [
    SECOND,
    5,
  ])
  expect(read('multicall(bytes[] data)', [inner, inner]).acts).toHaveLength(2)
  expect(read('deposit()').acts).toEqual([])
})

const WORD = `0x${'0'.repeat(64)}`
const transfer = { kind: 'transfer', token: TOKEN, from: ADDRESS, to: SECOND, amount: '5', id: null }
const allow = { kind: 'allow', token: TOKEN, spender: SECOND, amount: '5', until: null, adds: false }

test('ERC-1363, ERC-777 and ERC-3009 calls are transfers and allowances', () => {
  for (const text of ['address spender, uint256 value', 'address spender, uint256 value, bytes data'])
    expect(read(`approveAndCall(${text})`, SECOND, 5, ...(text.includes('data') ? ['0x'] : [])).acts).toEqual([allow])
  expect(read('transferAndCall(address to, uint256 value)', SECOND, 5).acts).toEqual([transfer])
  expect(read('transferFromAndCall(address from, address to, uint256 value)', SECOND, ADDRESS, 5).acts).toEqual([
    { ...transfer, from: SECOND, to: ADDRESS },
  ])
  expect(read('send(address to, uint256 value, bytes data)', SECOND, 5, '0x').acts).toEqual([transfer])
  expect(read('authorizeOperator(address operator)', SECOND).acts).toMatchObject([{ ...allow, amount: null }])
  expect(read('revokeOperator(address operator)', SECOND).acts).toEqual([{ ...allow, amount: '0' }])
  const signed =
    'transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)'
  expect(read(signed, SECOND, ADDRESS, 5, 0, 9, WORD, '0x').acts).toEqual([{ ...transfer, from: SECOND, to: ADDRESS }])
})

test("an item's permit has the item's id", () => {
  const item = { ...allow, amount: '1', id: '7' }
  const end = 'uint8 v, bytes32 r, bytes32 s'
  expect(
    read(`permit(address spender, uint256 tokenId, uint256 deadline, ${end})`, SECOND, 7, 9, 0, WORD, WORD).acts,
  ).toEqual([item])
  expect(
    read(
      'permit(address spender, uint256 tokenId, uint256 deadline, uint256 nonce, bytes signature)',
      SECOND,
      7,
      9,
      0,
      '0x',
    ).acts,
  ).toEqual([item])
  expect(read('approve(address spender, uint256 id, uint256 value)', SECOND, 7, 5).acts).toEqual([
    { ...allow, id: '7' },
  ])
  expect(read('setOperator(address operator, bool approved)', SECOND, true).acts).toEqual([
    { kind: 'allowAll', token: TOKEN, spender: SECOND, allowed: true },
  ])
  expect(read('transfer(address to, uint256 id, uint256 value)', SECOND, 7, 5).acts).toEqual([{ ...transfer, id: '7' }])
})

test('offering a punk is an order for coins', () => {
  const order = (amount: string) => ({
    kind: 'order',
    gives: [{ token: TOKEN, amount: '1', id: '7' }],
    gets: [{ token: null, amount, id: null }],
    until: null,
  })
  expect(read('offerPunkForSale(uint256 punkIndex, uint256 minSalePrice)', 7, 5).acts).toEqual([order('5')])
  const restricted = 'offerPunkForSaleToAddress(uint256 punkIndex, uint256 minSalePrice, address toAddress)'
  expect(read(restricted, 7, 0, SECOND).acts).toEqual([{ ...order('0'), taker: SECOND }])
  expect(read('acceptBidForPunk(uint256 punkIndex, uint256 minPrice)', 7, 5).acts).toEqual([order('5')])
  expect(read('transferPunk(address to, uint256 punkIndex)', SECOND, 7).acts).toEqual([
    { ...transfer, amount: '1', id: '7' },
  ])
})

test("Permit2 moves an owner's tokens with a signature", () => {
  const single =
    'permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 value) transferDetails, address owner, bytes signature)'
  expect(read(single, [[OTHER, 9], 0, 1], [SECOND, 5], ADDRESS, '0x').acts).toEqual([{ ...transfer, token: OTHER }])
  const batch =
    'permitTransferFrom(((address token, uint256 amount)[] permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 value)[] transferDetails, address owner, bytes signature)'
  expect(
    read(
      batch,
      [
        [
          [OTHER, 9],
          [TOKEN, 9],
        ],
        0,
        1,
      ],
      [
        [SECOND, 5],
        [SECOND, 5],
      ],
      ADDRESS,
      '0x',
    ).acts,
  ).toEqual([{ ...transfer, token: OTHER }, transfer])
})

const ITEM = '(uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount'
const PARAMETERS = `(address offerer, address zone, ${ITEM})[] offer, ${ITEM}, address recipient)[] consideration, uint8 orderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 conduitKey, uint256 totalOriginalConsiderationItems) parameters`

test("an order that a Seaport call fulfils is read from the account's side", () => {
  const head = [SECOND, SECOND]
  const tail = [0, 0, 99, WORD, 0, WORD, 1]
  const offer = [[2, OTHER, 7, 1, 1]]
  const consideration = [[1, OTHER, 0, 3, 5, SECOND]]
  const order = {
    kind: 'order',
    gives: [{ token: OTHER, amount: '5', id: null }],
    gets: [{ token: OTHER, amount: '1', id: '7' }],
    until: '99',
  }
  const parameters = [...head, offer, consideration, ...tail]
  expect(
    read(`fulfillOrder((${PARAMETERS}, bytes signature) order, bytes32 key)`, [parameters, '0x'], WORD).acts,
  ).toEqual([order])
  const advanced = `fulfillAdvancedOrder((${PARAMETERS}, uint120 numerator, uint120 denominator, bytes signature, bytes extraData) advancedOrder, (uint256 orderIndex, uint8 side, uint256 index, uint256 identifier, bytes32[] criteriaProof)[] criteriaResolvers, bytes32 key, address recipient)`
  expect(read(advanced, [parameters, 1, 1, '0x', '0x'], [], WORD, SECOND).acts).toEqual([
    order,
    { kind: 'gain', by: TOKEN, to: SECOND },
  ])
})

test('a basic Seaport order pays fees on top of a price, or out of the tokens that an item sells for', () => {
  const text =
    'fulfillBasicOrder((address considerationToken, uint256 considerationIdentifier, uint256 considerationAmount, address offerer, address zone, address offerToken, uint256 offerIdentifier, uint256 offerAmount, uint8 basicOrderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 offererConduitKey, bytes32 fulfillerConduitKey, uint256 totalOriginalAdditionalRecipients, (uint256 amount, address recipient)[] additionalRecipients, bytes signature) parameters)'
  const end = [0, 99, WORD, 0, WORD, WORD, 1, [[2, SECOND]], '0x']
  const buys = [ZERO_ADDRESS, 0, 5, SECOND, SECOND, OTHER, 7, 1, 0, ...end]
  expect(read(text, buys).acts).toMatchObject([
    { gives: [{ token: null, amount: '7', id: null }], gets: [{ token: OTHER, amount: '1', id: '7' }] },
  ])
  const sells = [OTHER, 7, 1, SECOND, SECOND, TOKEN, 0, 5, 16, ...end]
  expect(read(text, sells).acts).toMatchObject([
    { gives: [{ token: OTHER, amount: '1', id: '7' }], gets: [{ token: TOKEN, amount: '3', id: null }] },
  ])
})
