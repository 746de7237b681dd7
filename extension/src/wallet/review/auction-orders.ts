/** UniswapX orders: https://github.com/Uniswap/UniswapX. They are witnesses in Permit2 signature transfers. */
import { sameAddress } from '@heliograph/shared/evm/address'
import type { TypedData } from '@heliograph/shared/evm/typed-data'
import type { AmountView, TokenAct } from '../../messages.ts'
import { ZERO } from './call-arguments.ts'
import { orderAct } from './orders.ts'
import { ADDRESS, AMOUNT, type Given, has, list, structIn, text } from './typed-fields.ts'

const WITNESSES: readonly string[] = [
  'ExclusiveDutchOrder',
  'DutchOrder',
  'LimitOrder',
  'V2DutchOrder',
  'V3DutchOrder',
  'PriorityOrder',
]

/** Fields that can hold an output's amount. The price moves between these amounts, and never below `minAmount`. */
const AMOUNTS = ['startAmount', 'endAmount', 'amount', 'minAmount'] as const

const amountsOf = (output: Given): bigint[] =>
  AMOUNTS.flatMap(name => (has(output, { [name]: AMOUNT }) ? [BigInt(text(output, name))] : []))

const outputOf = (output: Given, worse: 'most' | 'least'): AmountView => {
  const token = text(output, 'token')
  const amount = amountsOf(output).reduce((one, other) => ((worse === 'most') === one > other ? one : other))
  return { token: ZERO.test(token) ? null : token, amount: String(amount), id: null }
}

/** Reads the order in a witness that allows taking `gives`. Undefined for other kinds of witnesses. */
export const auctionOrder = (
  data: TypedData,
  message: Given,
  gives: readonly AmountView[],
  account: string,
): TokenAct | undefined => {
  const witness = structIn(data, message, 'witness')
  if (witness === undefined || !WITNESSES.includes(message.fields.witness ?? '')) return undefined
  const outputs = [...list(data, witness, 'outputs'), ...list(data, witness, 'baseOutputs')]
  const isRead = (output: Given) => has(output, { token: ADDRESS, recipient: ADDRESS }) && amountsOf(output).length > 0
  if (outputs.length === 0 || !outputs.every(isRead)) return undefined
  const isOwn = (output: Given) => sameAddress(text(output, 'recipient'), account)
  return orderAct({
    gives,
    gets: outputs.filter(isOwn).map(output => outputOf(output, 'least')),
    others: outputs
      .filter(output => !isOwn(output))
      .map(output => ({ ...outputOf(output, 'most'), to: text(output, 'recipient') })),
    until: has(message, { deadline: AMOUNT }) ? text(message, 'deadline') : null,
  })
}
