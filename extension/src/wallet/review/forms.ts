/** Typed data that moves tokens, now or later, without a transaction of the signer: what it gives and to whom. */
import { isHex } from '@heliograph/shared/evm/hex'
import type { Struct, TypedData, Value } from '@heliograph/shared/evm/typed-data'
import type { AmountView, SignedForm, TokenAct } from '../../messages.ts'
import { boundedAmount } from './amounts.ts'

export type Form = { form: SignedForm; acts: readonly TokenAct[] }

/** A struct and what its fields are declared as. */
type Given = { fields: Readonly<Record<string, string>>; values: Struct }

const isStruct = (value: Value | undefined): value is Struct =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const given = ({ types }: TypedData, name: string, value: Value | undefined): Given | undefined =>
  isStruct(value) && Object.hasOwn(types, name)
    ? { fields: Object.fromEntries((types[name] ?? []).map(field => [field.name, field.type])), values: value }
    : undefined

/** Whether these fields are there, as these types: a name alone proves nothing. */
const has = ({ fields }: Given, wanted: Readonly<Record<string, RegExp>>): boolean =>
  Object.entries(wanted).every(([name, type]) => Object.hasOwn(fields, name) && type.test(fields[name] ?? ''))

const ADDRESS = /^address$/
const AMOUNT = /^uint(?:\d+)$/
const LIST = /^([A-Za-z_]\w*)\[\d*\]$/

const text = ({ values }: Given, name: string): string => String(values[name])
const amount = (struct: Given, name: string): string | null =>
  boundedAmount(struct.fields[name] ?? '', text(struct, name))

const contractOf = ({ domain }: TypedData): string | undefined =>
  isHex(domain.verifyingContract) ? domain.verifyingContract : undefined

/** The structs of a field that is one, or a list of them. */
const list = (data: TypedData, struct: Given, name: string): Given[] => {
  const value = struct.values[name]
  const type = struct.fields[name] ?? ''
  const element = LIST.exec(type)?.[1]
  const all = element === undefined ? [value] : Array.isArray(value) ? value : []
  return all.flatMap((item: Value | undefined) => given(data, element ?? type, item) ?? [])
}

type Reader = (data: TypedData, message: Given, account: string) => Form | undefined

/** https://eips.ethereum.org/EIPS/eip-2612, and the permit of DAI, which allows everything or nothing. */
const permit: Reader = (data, message) => {
  const token = contractOf(data)
  if (token === undefined) return undefined
  if (has(message, { owner: ADDRESS, spender: ADDRESS, value: AMOUNT, nonce: AMOUNT, deadline: AMOUNT })) {
    const until = text(message, 'deadline')
    const act = { kind: 'allow', token, spender: text(message, 'spender'), amount: amount(message, 'value') } as const
    return { form: 'permit', acts: [{ ...act, until, adds: false }] }
  }
  if (!has(message, { holder: ADDRESS, spender: ADDRESS, expiry: AMOUNT, allowed: /^bool$/ })) return undefined
  const until = text(message, 'expiry')
  const act = { kind: 'allow', token, spender: text(message, 'spender') } as const
  const all = message.values.allowed === true ? null : '0'
  // To DAI an expiry of zero is none.
  return { form: 'daiPermit', acts: [{ ...act, amount: all, until: until === '0' ? null : until, adds: false }] }
}

/** https://github.com/Uniswap/permit2, allowances. */
const permit2: Reader = (data, message) => {
  if (!has(message, { spender: ADDRESS, sigDeadline: AMOUNT })) return undefined
  const details = list(data, message, 'details')
  const wanted = { token: ADDRESS, amount: AMOUNT, expiration: AMOUNT }
  if (details.length === 0 || !details.every(detail => has(detail, wanted))) return undefined
  const acts = details.map(
    (detail): TokenAct => ({
      kind: 'allow',
      token: text(detail, 'token'),
      spender: text(message, 'spender'),
      amount: amount(detail, 'amount'),
      until: text(detail, 'expiration'),
      adds: false,
    }),
  )
  return { form: 'permit2', acts }
}

/** https://github.com/Uniswap/permit2, transfers by signature, with whatever a protocol adds to them. */
const permit2Transfer: Reader = (data, message) => {
  if (!has(message, { spender: ADDRESS, nonce: AMOUNT, deadline: AMOUNT })) return undefined
  const permitted = list(data, message, 'permitted')
  if (permitted.length === 0 || !permitted.every(item => has(item, { token: ADDRESS, amount: AMOUNT })))
    return undefined
  const acts = permitted.map(
    (item): TokenAct => ({
      kind: 'allow',
      token: text(item, 'token'),
      spender: text(message, 'spender'),
      amount: amount(item, 'amount'),
      until: text(message, 'deadline'),
      adds: false,
    }),
  )
  return { form: 'permit2Transfer', acts }
}

/** https://eips.ethereum.org/EIPS/eip-3009 */
const transferAuthorization: Reader = (data, message) => {
  const token = contractOf(data)
  if (token === undefined || !has(message, { from: ADDRESS, to: ADDRESS, value: AMOUNT, validBefore: AMOUNT }))
    return undefined
  const [from, to, moved] = [text(message, 'from'), text(message, 'to'), text(message, 'value')]
  return { form: 'transferAuthorization', acts: [{ kind: 'transfer', token, from, to, amount: moved, id: null }] }
}

const ZERO = /^0x0{40}$/
const ITEM = { itemType: AMOUNT, token: ADDRESS, identifierOrCriteria: AMOUNT, startAmount: AMOUNT, endAmount: AMOUNT }
const ITEM_WITH_ID = 2n
/** From here on an item is any of a set, and what stands as its number only says which set. */
const ITEM_OF_SET = 4n
const isOfSet = (item: Given) => BigInt(text(item, 'itemType')) >= ITEM_OF_SET

/** An item of a Seaport order. Where the amount changes with time, the `end` that is worse for the signer counts. */
const seaportItem = (item: Given, worse: 'most' | 'least'): AmountView => {
  const [start, end] = [BigInt(text(item, 'startAmount')), BigInt(text(item, 'endAmount'))]
  const counts = worse === 'most' ? start > end : start < end
  const token = text(item, 'token')
  return {
    token: ZERO.test(token) ? null : token,
    amount: String(counts ? start : end),
    id: BigInt(text(item, 'itemType')) >= ITEM_WITH_ID ? text(item, 'identifierOrCriteria') : null,
  }
}

const sameText = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** https://github.com/ProjectOpenSea/seaport */
const seaport: Reader = (data, message, account) => {
  const [offer, consideration] = [list(data, message, 'offer'), list(data, message, 'consideration')]
  if (offer.length === 0 || ![...offer, ...consideration].every(item => has(item, ITEM))) return undefined
  if ([...offer, ...consideration].some(isOfSet)) return undefined
  const own = consideration.filter(item => sameText(text(item, 'recipient'), account))
  const until = has(message, { endTime: AMOUNT }) ? text(message, 'endTime') : null
  const gives = offer.map(item => seaportItem(item, 'most'))
  return { form: 'order', acts: [{ kind: 'order', gives, gets: own.map(item => seaportItem(item, 'least')), until }] }
}

/**
 * The names under which exchanges have the two sides of an order: CoW, 0x and 1inch. The fee is taken of what is given, on
 * top of it.
 */
const EXCHANGES = [
  { give: 'sellToken', most: 'sellAmount', get: 'buyToken', least: 'buyAmount', fee: 'feeAmount', until: 'validTo' },
  { give: 'makerToken', most: 'makerAmount', get: 'takerToken', least: 'takerAmount', fee: '', until: 'expiry' },
  { give: 'makerAsset', most: 'makingAmount', get: 'takerAsset', least: 'takingAmount', fee: '', until: '' },
] as const

const receives = (message: Given, account: string): boolean => {
  if (message.fields.receiver !== 'address') return true
  const receiver = text(message, 'receiver')
  return ZERO.test(receiver) || sameText(receiver, account)
}

const exchange: Reader = (_, message, account) => {
  const side = EXCHANGES.find(({ give, most, get, least }) =>
    has(message, { [give]: ADDRESS, [most]: AMOUNT, [get]: ADDRESS, [least]: AMOUNT }),
  )
  if (!side) return undefined
  const fee = side.fee !== '' && has(message, { [side.fee]: AMOUNT }) ? text(message, side.fee) : '0'
  const most = String(BigInt(text(message, side.most)) + BigInt(fee))
  const gives = [{ token: text(message, side.give), amount: most, id: null }]
  const gets = receives(message, account)
    ? [{ token: text(message, side.get), amount: text(message, side.least), id: null }]
    : []
  const until = side.until !== '' && has(message, { [side.until]: AMOUNT }) ? text(message, side.until) : null
  return { form: 'order', acts: [{ kind: 'order', gives, gets, until }] }
}

const READERS: readonly (readonly [RegExp, Reader])[] = [
  [/^Permit$/, permit],
  [/^Permit(?:Single|Batch)$/, permit2],
  [/^Permit(?:Batch)?(?:Witness)?TransferFrom$/, permit2Transfer],
  [/^(?:Transfer|Receive)WithAuthorization$/, transferAuthorization],
  [/^OrderComponents$/, seaport],
  [/^(?:Order|LimitOrder|RfqOrder|OtcOrder)$/, exchange],
]

/** Reads what `account` would sign; undefined for data of no form that is known here. */
export const readForm = (data: TypedData, account: string): Form | undefined => {
  const message = given(data, data.primaryType, data.message)
  const reader = READERS.find(([type]) => type.test(data.primaryType))?.[1]
  return message && reader?.(data, message, account)
}
