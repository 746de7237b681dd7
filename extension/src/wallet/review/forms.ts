/** Known forms of typed data that let others move tokens or make calls without a transaction of the signer. */
import type { TypedData } from '@heliograph/shared/evm/typed-data'
import type { TokenAct } from '../../messages.ts'
import { forwardRequest, metaTransaction, safeTransaction, userOperation } from './carried-calls.ts'
import { exchange, seaport, seaportBulk } from './orders.ts'
import { ADDRESS, AMOUNT, amount, contractOf, type Form, given, has, list, type Reader, text } from './typed-fields.ts'

/** https://eips.ethereum.org/EIPS/eip-2612, and DAI's permit, which allows everything or nothing. */
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
  // DAI reads an expiry of zero as no expiry.
  return { form: 'daiPermit', acts: [{ ...act, amount: all, until: until === '0' ? null : until, adds: false }] }
}

/** Allowances of https://github.com/Uniswap/permit2. */
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

/** Signature transfers of https://github.com/Uniswap/permit2, with or without a witness. */
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

const READERS: readonly (readonly [RegExp, Reader])[] = [
  [/^Permit$/, permit],
  [/^Permit(?:Single|Batch)$/, permit2],
  [/^Permit(?:Batch)?(?:Witness)?TransferFrom$/, permit2Transfer],
  [/^(?:Transfer|Receive)WithAuthorization$/, transferAuthorization],
  [/^OrderComponents$/, seaport],
  [/^BulkOrder$/, seaportBulk],
  [/^(?:Order|LimitOrder|RfqOrder|OtcOrder)$/, exchange],
  [/^SafeTx$/, safeTransaction],
  [/^(?:Packed)?UserOperation$/, userOperation],
  [/^(?:(?:ERC20)?ForwardRequest(?:Data)?|RelayRequest)$/, forwardRequest],
  [/^MetaTransaction$/, metaTransaction],
]

/** Reads the data that `account` would sign; undefined if its form is unknown. */
export const readForm = (data: TypedData, account: string): Form | undefined => {
  const message = given(data, data.primaryType, data.message)
  const reader = READERS.find(([type]) => type.test(data.primaryType))?.[1]
  return message && reader?.(data, message, account)
}
