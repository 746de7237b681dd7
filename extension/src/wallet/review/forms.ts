/** Known forms of typed data that let others move tokens or make calls without a transaction by the signer. */
import type { TypedData } from '@heliograph/shared/evm/typed-data'
import type { TokenAct } from '../../messages.ts'
import { raribleOrder, zeroExOrder } from './asset-orders.ts'
import {
  forwardRequest,
  isAuthorization,
  metaTransaction,
  safeOperation,
  safeTransaction,
  userOperation,
} from './carried-calls.ts'
import { finding } from './findings.ts'
import { blurOrder, erc721Order, erc1155Order, looksRareMaker, looksRareOrder } from './item-orders.ts'
import { auctionOrder, exchange, seaport, seaportBulk } from './orders.ts'
import {
  accountDelegation,
  cancelAuthorization,
  creditDelegation,
  hyperliquidAgent,
  hyperliquidClassTransfer,
  hyperliquidTransfer,
  isSnapshot,
  managerAuthorization,
  snapshot,
  voteDelegation,
} from './protocol-forms.ts'
import {
  ADDRESS,
  AMOUNT,
  amount,
  BOOL,
  contractOf,
  type Form,
  given,
  has,
  list,
  type Reader,
  structIn,
  text,
} from './typed-fields.ts'

/** Reads a permit for one item: https://eips.ethereum.org/EIPS/eip-4494 */
const itemPermit: Reader = (data, message) => {
  const token = contractOf(data)
  const wanted = { spender: ADDRESS, tokenId: AMOUNT, nonce: AMOUNT, deadline: AMOUNT }
  if (token === undefined || !has(message, wanted)) return undefined
  const [spender, id, until] = [text(message, 'spender'), text(message, 'tokenId'), text(message, 'deadline')]
  return { form: 'permit', acts: [{ kind: 'allow', token, spender, amount: '1', until, adds: false, id }] }
}

/** Reads a permit for all items in a collection. */
const permitForAll: Reader = (data, message) => {
  const token = contractOf(data)
  if (token === undefined || !has(message, { operator: ADDRESS, approved: BOOL, deadline: AMOUNT })) return undefined
  const [spender, allowed] = [text(message, 'operator'), message.values.approved === true]
  return { form: 'permit', acts: [{ kind: 'allowAll', token, spender, allowed }] }
}

/**
 * Reads permits of https://eips.ethereum.org/EIPS/eip-2612, DAI's permits, which allow everything or nothing, and
 * permits for one item.
 */
const permit: Reader = (data, message, account) => {
  const token = contractOf(data)
  if (token === undefined) return undefined
  if (has(message, { owner: ADDRESS, spender: ADDRESS, value: AMOUNT, nonce: AMOUNT, deadline: AMOUNT })) {
    const until = text(message, 'deadline')
    const act = { kind: 'allow', token, spender: text(message, 'spender'), amount: amount(message, 'value') } as const
    return { form: 'permit', acts: [{ ...act, until, adds: false }] }
  }
  if (!has(message, { holder: ADDRESS, spender: ADDRESS, expiry: AMOUNT, allowed: BOOL }))
    return itemPermit(data, message, account)
  const until = text(message, 'expiry')
  const act = { kind: 'allow', token, spender: text(message, 'spender') } as const
  const all = message.values.allowed === true ? null : '0'
  // DAI treats an expiry of zero as no expiry.
  return { form: 'daiPermit', acts: [{ ...act, amount: all, until: until === '0' ? null : until, adds: false }] }
}

/** Reads allowances of https://github.com/Uniswap/permit2 */
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

/** Fields of a signature transfer without a witness. */
const TRANSFER_FIELDS: readonly string[] = ['permitted', 'spender', 'nonce', 'deadline']

/**
 * Reads signature transfers of https://github.com/Uniswap/permit2, with or without a witness. An order in the witness
 * limits what the spender can do, but the spender's allowance is reported too.
 */
const permit2Transfer: Reader = (data, message, account) => {
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
  const gives = permitted.map(item => ({ token: text(item, 'token'), amount: text(item, 'amount'), id: null }))
  const order = auctionOrder(data, message, gives, account)
  if (order) return { form: 'order', acts: [order, ...acts] }
  // Any other field is a witness, which determines what the spender does with the tokens.
  const isRead = Object.keys(message.fields).every(name => TRANSFER_FIELDS.includes(name))
  return { form: 'permit2Transfer', acts, ...(!isRead && { findings: [finding('caution', 'unknownFormat')] }) }
}

/** Reads a transfer authorization: https://eips.ethereum.org/EIPS/eip-3009 */
const transferAuthorization: Reader = (data, message) => {
  const token = contractOf(data)
  if (token === undefined || !has(message, { from: ADDRESS, to: ADDRESS, value: AMOUNT, validBefore: AMOUNT }))
    return undefined
  const [from, to, moved] = [text(message, 'from'), text(message, 'to'), text(message, 'value')]
  return { form: 'transferAuthorization', acts: [{ kind: 'transfer', token, from, to, amount: moved, id: null }] }
}

/** Returns a reader for the first form that matches the data. */
const anyOf =
  (...readers: readonly Reader[]): Reader =>
  (data, message, account) => {
    for (const read of readers) {
      const form = read(data, message, account)
      if (form) return form
    }
    return undefined
  }

/**
 * Reads contents that a smart account signs, whose type is nested: https://eips.ethereum.org/EIPS/eip-7739. The
 * message's contract is the smart account.
 */
const nestedForm: Reader = (data, message) => {
  const contents = structIn(data, message, 'contents')
  if (contents === undefined || !has(message, { verifyingContract: ADDRESS })) return undefined
  const primaryType = message.fields.contents ?? ''
  return readForm({ ...data, primaryType, message: contents.values }, text(message, 'verifyingContract'))
}

const READERS: readonly (readonly [RegExp, Reader])[] = [
  [/^Permit$/, permit],
  [/^PermitForAll$/, permitForAll],
  [/^Permit(?:Single|Batch)$/, permit2],
  [/^Permit(?:Batch)?(?:Witness)?TransferFrom$/, permit2Transfer],
  [/^(?:Transfer|Receive)WithAuthorization$/, transferAuthorization],
  [/^CancelAuthorization$/, cancelAuthorization],
  [/^OrderComponents$/, seaport],
  [/^BulkOrder$/, seaportBulk],
  [/^Order$/, anyOf(exchange, blurOrder, zeroExOrder, raribleOrder)],
  [/^(?:LimitOrder|RfqOrder|OtcOrder)$/, exchange],
  [/^ERC721Order$/, erc721Order],
  [/^ERC1155Order$/, erc1155Order],
  [/^MakerOrder$/, looksRareOrder],
  [/^Maker$/, looksRareMaker],
  [/^SafeTx$/, safeTransaction],
  [/^SafeOp$/, safeOperation],
  [/^(?:Packed)?UserOperation$/, userOperation],
  [/^(?:(?:ERC20)?ForwardRequest(?:Data)?|RelayRequest)$/, forwardRequest],
  [/^MetaTransaction$/, metaTransaction],
  [/^Authorization$/, managerAuthorization],
  [/^DelegationWithSig$/, creditDelegation],
  [/^(?:Delegation|Delegate|DelegateByType)$/, voteDelegation],
  [/^HyperliquidTransaction:(?:Withdraw|UsdSend|SpotSend|SendAsset)$/, hyperliquidTransfer],
  [/^HyperliquidTransaction:UsdClassTransfer$/, hyperliquidClassTransfer],
  [/^HyperliquidTransaction:ApproveAgent$/, hyperliquidAgent],
  [/^TypedDataSign$/, nestedForm],
]

const readerOf = (data: TypedData): Reader | undefined => {
  if (isAuthorization(data, data.primaryType)) return accountDelegation
  if (isSnapshot(data)) return snapshot
  return READERS.find(([type]) => type.test(data.primaryType))?.[1]
}

/** Reads the data that `account` would sign. Undefined if its form is unknown. */
export const readForm = (data: TypedData, account: string): Form | undefined => {
  const message = given(data, data.primaryType, data.message)
  return message && readerOf(data)?.(data, message, account)
}
