import { AbiCoder, Interface, id } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { review, TOKEN } from './forms.fixture.ts'

const COLLECTION = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D'
const ZERO = `0x${'0'.repeat(40)}`

const assets = new Interface([
  'function ERC20Token(address)',
  'function ERC721Token(address,uint256)',
  'function ERC1155Assets(address,uint256[],uint256[],bytes)',
  'function MultiAsset(uint256[],bytes[])',
  'function ERC20Bridge(address,address,bytes)',
])
const asset = (name: string, ...args: unknown[]) => assets.encodeFunctionData(name, args)
const tokens = asset('ERC20Token', TOKEN)

const ZEROX = {
  makerAddress: 'address',
  takerAddress: 'address',
  feeRecipientAddress: 'address',
  senderAddress: 'address',
  makerAssetAmount: 'uint256',
  takerAssetAmount: 'uint256',
  makerFee: 'uint256',
  takerFee: 'uint256',
  expirationTimeSeconds: 'uint256',
  salt: 'uint256',
  makerAssetData: 'bytes',
  takerAssetData: 'bytes',
  makerFeeAssetData: 'bytes',
  takerFeeAssetData: 'bytes',
}
const zeroEx = (more: object) =>
  review(
    'Order',
    { Order: ZEROX },
    {
      makerAddress: ADDRESS,
      takerAddress: ZERO,
      feeRecipientAddress: ZERO,
      senderAddress: ZERO,
      makerAssetAmount: 5,
      takerAssetAmount: 0,
      makerFee: 0,
      takerFee: 0,
      expirationTimeSeconds: 99,
      salt: 0,
      makerAssetData: tokens,
      takerAssetData: asset('ERC20Token', COLLECTION),
      makerFeeAssetData: '0x',
      takerFeeAssetData: '0x',
      ...more,
    },
  )

test('0x v3 encodes its assets as bytes', () => {
  expect(zeroEx({})).toMatchObject({
    form: 'order',
    acts: [
      {
        kind: 'order',
        gives: [{ token: TOKEN, amount: '5', id: null }],
        gets: [{ token: COLLECTION, amount: '0', id: null }],
        until: '99',
      },
    ],
  })
  const item = asset('ERC721Token', COLLECTION, 7)
  const set = asset('ERC1155Assets', COLLECTION, [1, 2], [3, 4], '0x')
  expect(zeroEx({ makerAssetData: asset('MultiAsset', [1, 2], [item, set]), makerAssetAmount: 1 }).acts).toMatchObject([
    {
      gives: [
        { token: COLLECTION, amount: '1', id: '7' },
        { token: COLLECTION, amount: '6', id: '1' },
        { token: COLLECTION, amount: '8', id: '2' },
      ],
    },
  ])
  expect(zeroEx({ makerFee: 3, makerFeeAssetData: tokens }).acts).toMatchObject([{ gives: [{}, { amount: '3' }] }])
})

test('an unreadable 0x v3 asset makes the order unknown', () => {
  const bridge = asset('ERC20Bridge', TOKEN, SECOND, '0x')
  for (const data of [bridge, '0x', '0xf47261', asset('MultiAsset', [1], [bridge])])
    expect(zeroEx({ makerAssetData: data }).form).toBeNull()
  expect(zeroEx({ takerAssetData: bridge }).form).toBeNull()
  expect(zeroEx({ makerFee: 3 }).form).toBeNull()
})

const PARTS = '(address,uint96)[]'
const encode = (types: string[], ...values: unknown[]) => AbiCoder.defaultAbiCoder().encode(types, values)
const classOf = (name: string) => id(name).slice(0, 10)
const rarible = (more: object) =>
  review(
    'Order',
    {
      Order: {
        maker: 'address',
        makeAsset: 'Asset',
        taker: 'address',
        takeAsset: 'Asset',
        salt: 'uint256',
        start: 'uint256',
        end: 'uint256',
        dataType: 'bytes4',
        data: 'bytes',
      },
      Asset: { assetType: 'AssetType', value: 'uint256' },
      AssetType: { assetClass: 'bytes4', data: 'bytes' },
    },
    {
      maker: ADDRESS,
      makeAsset: {
        assetType: { assetClass: classOf('ERC721'), data: encode(['address', 'uint256'], COLLECTION, 7) },
        value: 1,
      },
      taker: ZERO,
      takeAsset: { assetType: { assetClass: classOf('ETH'), data: '0x' }, value: 1000 },
      salt: 1,
      start: 0,
      end: 0,
      dataType: classOf('V2'),
      data: encode([`(${PARTS},${PARTS},bool)`], [[], [], false]),
      ...more,
    },
  )

test("Rarible's orders can pay other parties", () => {
  const gives = [{ token: COLLECTION, amount: '1', id: '7' }]
  expect(rarible({}).acts).toEqual([
    { kind: 'order', gives, gets: [{ token: null, amount: '1000', id: null }], until: null },
  ])
  const payouts = [
    [ADDRESS, 1000],
    [SECOND, 9000],
  ]
  const data = encode([`(${PARTS},${PARTS})`], [payouts, []])
  expect(rarible({ dataType: classOf('V1'), data }).acts).toMatchObject([
    { gets: [{ amount: '100' }], others: [{ amount: '900', to: SECOND }] },
  ])
  const erc20 = { assetType: { assetClass: classOf('ERC20'), data: encode(['address'], TOKEN) }, value: 5 }
  expect(rarible({ takeAsset: erc20, dataType: '0xffffffff' }).acts).toMatchObject([{ gets: [{ token: TOKEN }] }])
  expect(rarible({ dataType: '0x12345678' }).form).toBeNull()
  expect(rarible({ takeAsset: { ...erc20, assetType: { assetClass: '0x12345678', data: '0x' } } }).form).toBeNull()
})
