import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { review, TOKEN } from './forms.fixture.ts'

const COLLECTION = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D'
const ZERO = `0x${'0'.repeat(40)}`
const COINS = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const item = (more: object = {}) => ({ token: COLLECTION, amount: '1', id: '7', ...more })
const coins = (amount: string, more: object = {}) => ({ token: null, amount, id: null, ...more })

const BLUR = {
  trader: 'address',
  side: 'uint8',
  matchingPolicy: 'address',
  collection: 'address',
  tokenId: 'uint256',
  amount: 'uint256',
  paymentToken: 'address',
  price: 'uint256',
  listingTime: 'uint256',
  expirationTime: 'uint256',
  fees: 'Fee[]',
  salt: 'uint256',
  extraParams: 'bytes',
  nonce: 'uint256',
}
const blur = (more: object, types: object = {}) =>
  review(
    'Order',
    { Order: { ...BLUR, ...types }, Fee: { rate: 'uint16', recipient: 'address' } },
    {
      trader: ADDRESS,
      side: 1,
      matchingPolicy: '0x0000000000daB4A563819e8fd93dbA3b25BC3495',
      collection: COLLECTION,
      tokenId: 7,
      amount: 1,
      paymentToken: ZERO,
      price: 1000,
      listingTime: 0,
      expirationTime: 99,
      fees: [],
      salt: 0,
      extraParams: '0x',
      nonce: 0,
      ...more,
    },
  )

test('a Blur order sells or buys an item, and fees go to others', () => {
  expect(blur({ price: 0 })).toMatchObject({
    form: 'order',
    acts: [{ kind: 'order', gives: [item()], gets: [coins('0')], until: '99' }],
  })
  expect(blur({ fees: [{ rate: 250, recipient: SECOND }] }).acts).toEqual([
    { kind: 'order', gives: [item()], gets: [coins('975')], others: [coins('25', { to: SECOND })], until: '99' },
  ])
  expect(blur({ amount: 0 }).acts).toMatchObject([{ gives: [item()] }])
  expect(blur({ side: 0 }).acts).toMatchObject([{ gives: [coins('1000')], gets: [item()] }])
  expect(blur({ side: 0, matchingPolicy: SECOND }).acts).toMatchObject([{ gets: [item({ ofSet: true })] }])
  expect(blur({ price: '1000' }, { price: 'string' }).form).toBeNull()
})

const ITEM_ORDER = {
  direction: 'uint8',
  maker: 'address',
  taker: 'address',
  expiry: 'uint256',
  nonce: 'uint256',
  erc20Token: 'address',
  erc20TokenAmount: 'uint256',
  fees: 'Fee[]',
}
const PROPERTY = { propertyValidator: 'address', propertyData: 'bytes' }
const zeroEx = (kind: 'ERC721' | 'ERC1155', more: object) => {
  const prefix = kind.toLowerCase()
  return review(
    `${kind}Order`,
    {
      [`${kind}Order`]: {
        ...ITEM_ORDER,
        [`${prefix}Token`]: 'address',
        [`${prefix}TokenId`]: 'uint256',
        [`${prefix}TokenProperties`]: 'Property[]',
        ...(kind === 'ERC1155' && { erc1155TokenAmount: 'uint128' }),
      },
      Fee: { recipient: 'address', amount: 'uint256', feeData: 'bytes' },
      Property: PROPERTY,
    },
    {
      direction: 0,
      maker: ADDRESS,
      taker: ZERO,
      expiry: 99,
      nonce: 0,
      erc20Token: TOKEN,
      erc20TokenAmount: 1000,
      fees: [{ recipient: SECOND, amount: 25, feeData: '0x' }],
      [`${prefix}Token`]: COLLECTION,
      [`${prefix}TokenId`]: 7,
      [`${prefix}TokenProperties`]: [],
      ...(kind === 'ERC1155' && { erc1155TokenAmount: 3 }),
      ...more,
    },
  )
}

test('0x v4 orders sell and buy items, and the buyer pays the fees', () => {
  const tokens = (amount: string) => ({ token: TOKEN, amount, id: null })
  expect(zeroEx('ERC721', {})).toMatchObject({
    form: 'order',
    acts: [{ gives: [item()], gets: [tokens('1000')], others: [{ amount: '25', to: SECOND }], until: '99' }],
  })
  expect(zeroEx('ERC721', { erc20TokenAmount: 0, fees: [] }).acts).toMatchObject([{ gets: [tokens('0')] }])
  expect(zeroEx('ERC721', { direction: 1 }).acts).toMatchObject([{ gives: [tokens('1025')], gets: [item()] }])
  expect(zeroEx('ERC1155', { erc20Token: COINS, fees: [] }).acts).toMatchObject([
    { gives: [item({ amount: '3' })], gets: [coins('1000')] },
  ])
  const any = [{ propertyValidator: ZERO, propertyData: '0x' }]
  expect(zeroEx('ERC721', { direction: 1, erc721TokenProperties: any }).acts).toMatchObject([
    { gets: [item({ ofSet: true })] },
  ])
})

test("LooksRare's asks guarantee the seller a minimum share", () => {
  const types = {
    isOrderAsk: 'bool',
    signer: 'address',
    collection: 'address',
    price: 'uint256',
    tokenId: 'uint256',
    amount: 'uint256',
    strategy: 'address',
    currency: 'address',
    nonce: 'uint256',
    startTime: 'uint256',
    endTime: 'uint256',
    minPercentageToAsk: 'uint256',
    params: 'bytes',
  }
  const order = (more: object) =>
    review(
      'MakerOrder',
      { MakerOrder: types },
      {
        isOrderAsk: true,
        signer: ADDRESS,
        collection: COLLECTION,
        price: 1000,
        tokenId: 7,
        amount: 1,
        strategy: SECOND,
        currency: TOKEN,
        nonce: 0,
        startTime: 0,
        endTime: 99,
        minPercentageToAsk: 9800,
        params: '0x',
        ...more,
      },
    ).acts
  expect(order({})).toMatchObject([{ gives: [item()], gets: [{ token: TOKEN, amount: '980' }], until: '99' }])
  expect(order({ isOrderAsk: false })).toMatchObject([{ gives: [{ amount: '1000' }], gets: [item({ ofSet: true })] }])
})

test('LooksRare v2 asks name items, and bids on a collection name none', () => {
  const types = {
    quoteType: 'uint8',
    globalNonce: 'uint256',
    strategyId: 'uint256',
    collectionType: 'uint8',
    collection: 'address',
    currency: 'address',
    signer: 'address',
    startTime: 'uint256',
    endTime: 'uint256',
    price: 'uint256',
    itemIds: 'uint256[]',
    amounts: 'uint256[]',
  }
  const maker = (more: object) =>
    review(
      'Maker',
      { Maker: types },
      {
        quoteType: 1,
        globalNonce: 0,
        strategyId: 0,
        collectionType: 0,
        collection: COLLECTION,
        currency: ZERO,
        signer: ADDRESS,
        startTime: 0,
        endTime: 99,
        price: 1000,
        itemIds: [7, 8],
        amounts: [1, 1],
        ...more,
      },
    )
  expect(maker({}).acts).toMatchObject([{ gives: [item(), item({ id: '8' })], gets: [coins('1000')], until: '99' }])
  expect(maker({ itemIds: [], amounts: [] }).form).toBeNull()
  expect(maker({ quoteType: 0, strategyId: 1, itemIds: [], amounts: [1] }).acts).toMatchObject([
    { gives: [coins('1000')], gets: [{ token: COLLECTION, ofSet: true }] },
  ])
})
