/** Orders whose assets are encoded as bytes: 0x v3 and Rarible. */
import { type AbiFunction, parseFunction } from '@heliograph/shared/evm/abi'
import { MAX_ARGUMENT_WORDS, type ReadBudget } from '@heliograph/shared/evm/abi-decode'
import { sameAddress } from '@heliograph/shared/evm/address'
import { decodeCallOf, selectorOf } from '@heliograph/shared/evm/calldata'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { AmountView, TokenAct } from '../../messages.ts'
import { type Arguments, partsOf, structsOf, textOf, ZERO } from './call-arguments.ts'
import { decodeBare } from './nested-calls.ts'
import { orderAct } from './orders.ts'
import { ADDRESS, AMOUNT, BYTES, type Given, has, type Reader, structIn, text } from './typed-fields.ts'

type Assets = readonly AmountView[] | undefined

/**
 * Asset types of https://github.com/0xProject/0x-protocol-specification/blob/master/v3/v3-specification.md#assetdata
 */
const ASSETS: readonly AbiFunction[] = [
  'ERC20Token(address token)',
  'ERC721Token(address token, uint256 id)',
  'ERC1155Assets(address token, uint256[] ids, uint256[] values, bytes data)',
  'MultiAsset(uint256[] amounts, bytes[] assets)',
].map(parseFunction)

const integers = (args: Arguments, name: string): bigint[] =>
  partsOf(args, name).map(({ value }) => BigInt(String(value)))

/** Concatenates the lists. Undefined if any of them could not be read. */
const joined = (lists: readonly Assets[]): Assets =>
  lists.every(one => one !== undefined) ? lists.flatMap(one => one ?? []) : undefined

const assetsIn = (data: Hex, amount: bigint, budget: ReadBudget): Assets => {
  const called = ASSETS.find(({ selector }) => selector === selectorOf(data))
  const call = called && decodeCallOf(data, called, budget)
  if (call?.kind !== 'call') return undefined
  const { name, args } = call
  const token = textOf(args, 'token')
  if (name === 'ERC20Token') return [{ token, amount: String(amount), id: null }]
  if (name === 'ERC721Token') return [{ token, amount: String(amount), id: textOf(args, 'id') }]
  if (name === 'ERC1155Assets') {
    const [ids, values] = [integers(args, 'ids'), integers(args, 'values')]
    return ids.map((id, at) => ({ token, amount: String(amount * (values[at] ?? 0n)), id: String(id) }))
  }
  const amounts = integers(args, 'amounts')
  return joined(
    partsOf(args, 'assets').map(({ value }, at) => assetsIn(value as Hex, amount * (amounts[at] ?? 0n), budget)),
  )
}

const ZEROX = {
  makerAddress: ADDRESS,
  makerAssetAmount: AMOUNT,
  takerAssetAmount: AMOUNT,
  makerFee: AMOUNT,
  expirationTimeSeconds: AMOUNT,
  makerAssetData: BYTES,
  takerAssetData: BYTES,
}

/**
 * Reads orders of 0x versions 2 and 3. In version 2, the maker's fee is charged in another token, which the order does
 * not name.
 */
export const zeroExOrder: Reader = (_, message) => {
  if (!has(message, ZEROX)) return undefined
  const budget = { words: MAX_ARGUMENT_WORDS }
  const read = (data: string, amount: string): Assets =>
    assetsIn(text(message, data) as Hex, BigInt(text(message, amount)), budget)
  const [given, gets] = [read('makerAssetData', 'makerAssetAmount'), read('takerAssetData', 'takerAssetAmount')]
  const hasFee = text(message, 'makerFee') !== '0'
  const fee = hasFee && has(message, { makerFeeAssetData: BYTES }) ? read('makerFeeAssetData', 'makerFee') : undefined
  const gives = joined([given, hasFee ? fee : []])
  if (gives === undefined || gives.length === 0 || gets === undefined) return undefined
  return { form: 'order', acts: [orderAct({ gives, gets, others: [], until: text(message, 'expirationTimeSeconds') })] }
}

const COIN = parseFunction('ETH()')
const CLASSES: Readonly<Record<string, AbiFunction>> = {
  '0xaaaebeba': COIN,
  '0x8ae85d84': parseFunction('ERC20(address token)'),
  '0x73ad2146': parseFunction('ERC721(address token, uint256 id)'),
  '0x973bb640': parseFunction('ERC1155(address token, uint256 id)'),
  '0xf63c2825': parseFunction('COLLECTION(address token)'),
}

/** Reads an asset of https://github.com/rarible/protocol-contracts */
const raribleAsset = (type: Given | undefined, value: string, budget: ReadBudget): AmountView | undefined => {
  if (type === undefined || !has(type, { assetClass: /^bytes4$/, data: BYTES })) return undefined
  const called = CLASSES[text(type, 'assetClass')]
  if (called === COIN) return { token: null, amount: value, id: null }
  const call = called && decodeBare(called, text(type, 'data') as Hex, budget)
  if (call?.kind !== 'call') return undefined
  const token = textOf(call.args, 'token')
  if (call.name === 'COLLECTION') return { token, amount: value, id: '0', ofSet: true }
  return { token, amount: value, id: textOf(call.args, 'id') || null }
}

const PARTS = '(address account, uint96 value)[]'
const DATA: Readonly<Record<string, AbiFunction | null>> = {
  '0xffffffff': null,
  '0x4c234266': parseFunction(`V1((${PARTS} payouts, ${PARTS} originFees) data)`),
  '0x23d235ef': parseFunction(`V2((${PARTS} payouts, ${PARTS} originFees, bool isMakeFill) data)`),
}
const WHOLE = 10_000n

type Part = { to: string; share: bigint }

/**
 * Returns the recipients of what the account buys, with their shares in basis points. Undefined for another version's
 * data.
 */
const payoutsIn = (message: Given, account: string, budget: ReadBudget): Part[] | undefined => {
  const type = text(message, 'dataType')
  if (!Object.hasOwn(DATA, type)) return undefined
  const called = DATA[type] ?? null
  if (called === null) return [{ to: account, share: WHOLE }]
  const call = decodeBare(called, text(message, 'data') as Hex, budget)
  if (call.kind !== 'call') return undefined
  const payouts = structsOf(call.args, 'data')
    .flatMap(data => structsOf(data, 'payouts'))
    .map(payout => ({ to: textOf(payout, 'account'), share: BigInt(textOf(payout, 'value') || '0') }))
  return payouts.length === 0 ? [{ to: account, share: WHOLE }] : payouts
}

const RARIBLE = { maker: ADDRESS, end: AMOUNT, dataType: /^bytes4$/, data: BYTES }

/** Reads Rarible's orders, which can name other recipients. An `end` of zero means that the order does not expire. */
export const raribleOrder: Reader = (data, message, account) => {
  const [make, take] = [structIn(data, message, 'makeAsset'), structIn(data, message, 'takeAsset')]
  if (make === undefined || take === undefined || !has(message, RARIBLE)) return undefined
  if (!has(make, { value: AMOUNT }) || !has(take, { value: AMOUNT })) return undefined
  const budget = { words: MAX_ARGUMENT_WORDS }
  const given = raribleAsset(structIn(data, make, 'assetType'), text(make, 'value'), budget)
  const got = raribleAsset(structIn(data, take, 'assetType'), text(take, 'value'), budget)
  const payouts = payoutsIn(message, account, budget)
  if (given === undefined || got === undefined || payouts === undefined) return undefined
  const isOwn = ({ to }: Part) => ZERO.test(to) || sameAddress(to, account)
  const shareOf = ({ share }: Part): AmountView => ({ ...got, amount: String((BigInt(got.amount) * share) / WHOLE) })
  const act: TokenAct = orderAct({
    gives: [given],
    gets: payouts.filter(isOwn).map(shareOf),
    others: payouts.filter(part => !isOwn(part)).map(part => ({ ...shareOf(part), to: part.to })),
    until: text(message, 'end') === '0' ? null : text(message, 'end'),
  })
  return { form: 'order', acts: [act] }
}
