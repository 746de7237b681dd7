/** Derives what a decoded call does from its arguments alone: token transfers, allowances, control and gains. */
import type { Act, TokenAct } from '../../messages.ts'
import { boundedAmount } from './amounts.ts'
import { type Arguments, find, type Made, partsOf, structsOf, textOf } from './call-arguments.ts'
import { controlOfCall } from './control-acts.ts'
import { gainsOfCall, recipientOf, spendsOfCall } from './gain-acts.ts'
import { refundAct, refundOf } from './safe-refunds.ts'
import { ordersOfCall } from './seaport-calls.ts'

const amountOf = (args: Arguments): string | null => {
  const value = find(args, 'value')
  return value === undefined ? null : boundedAmount(value.type, String(value.value))
}

const allow = (token: string, args: Arguments, more: Partial<TokenAct & { kind: 'allow' }> = {}) => {
  const amount = amountOf(args)
  return {
    kind: 'allow',
    token,
    spender: textOf(args, 'spender'),
    amount,
    until: null,
    adds: false,
    ...(amount === null && find(args, 'value') && { asked: textOf(args, 'value') }),
    ...more,
  } satisfies TokenAct
}

const move = ({ to, account }: Made, args: Arguments, more: Partial<TokenAct & { kind: 'transfer' }> = {}) =>
  ({
    kind: 'transfer',
    token: to,
    from: textOf(args, 'from') || account,
    to: textOf(args, 'to'),
    amount: textOf(args, 'value'),
    id: null,
    ...more,
  }) satisfies TokenAct

/** Reads a Permit2 permit, which holds one allowance or several, all for the same spender. */
const permit2 = (permit: Arguments): TokenAct[] =>
  structsOf(permit, 'details').map(detail =>
    allow(textOf(detail, 'token'), detail, {
      spender: textOf(permit, 'spender'),
      until: textOf(detail, 'expiration'),
    }),
  )

/** Reads a transfer of several items. A contract that accepts an item without an amount moves at least one. */
const batch = (made: Made): TokenAct[] => {
  const { args } = made.call
  const values = partsOf(args, 'values')
  return partsOf(args, 'ids').map(({ value }, at) =>
    move(made, args, { id: String(value), amount: String(values[at]?.value ?? '1') }),
  )
}

const permit2Moves = (made: Made): TokenAct[] =>
  structsOf(made.call.args, 'transferDetails').map(detail => move(made, detail, { token: textOf(detail, 'token') }))

/**
 * Reads a Permit2 call that moves tokens of the owner who signed the permit. A transfer without a permitted token has
 * no effect, because Permit2 refuses the whole call.
 */
const permit2Signed = (made: Made): TokenAct[] => {
  const { args } = made.call
  const [permit = []] = structsOf(args, 'permit')
  const details = structsOf(args, 'transferDetails')
  return structsOf(permit, 'permitted').flatMap((permitted, at) => {
    const detail = details[at]
    return detail ? [move(made, detail, { token: textOf(permitted, 'token'), from: textOf(args, 'owner') })] : []
  })
}

/** Reads an allowance of a single item. */
const allowItem = ({ call: { args }, to }: Made): TokenAct => ({
  kind: 'allow',
  token: to,
  spender: textOf(args, 'spender'),
  amount: '1',
  until: null,
  adds: false,
  id: textOf(args, 'tokenId'),
})

const allowAll = ({ call: { args }, to }: Made): TokenAct => ({
  kind: 'allowAll',
  token: to,
  spender: textOf(args, 'operator'),
  allowed: textOf(args, 'approved') === 'true',
})

/** Reads an ERC-777 operator, which may move all of the holder's tokens. */
const operate = ({ call: { args }, to }: Made, amount: string | null): TokenAct =>
  allow(to, [], { spender: textOf(args, 'operator'), amount })

/**
 * Reads a call that submits a permit for the called contract itself. `selfPermitAllowed` has no amount, because it
 * submits DAI's permit.
 */
const selfPermit = ({ call: { args }, to }: Made): TokenAct => allow(textOf(args, 'token'), args, { spender: to })

/** Reads the sale of a punk for a minimum price in coins. */
const sellPunk = ({ call: { args }, to }: Made, price: string): TokenAct & { kind: 'order' } => ({
  kind: 'order',
  gives: [{ token: to, amount: '1', id: textOf(args, 'punkIndex') }],
  gets: [{ token: null, amount: textOf(args, price), id: null }],
  until: null,
})

/** Reads a Safe's refund in tokens. A refund in coins is a payment: see wrappers.ts. */
const refunded = ({ call: { args }, to, account }: Made): TokenAct[] => {
  const refund = refundOf(name => textOf(args, name), to, account)
  return refund?.token == null ? [] : [refundAct(refund)]
}

const moved = (made: Made) => [move(made, made.call.args)]
const movedWithId = (made: Made) => [move(made, made.call.args, { id: textOf(made.call.args, 'id') })]
const approved = ({ call, to }: Made) => [allow(to, call.args)]

const READERS: Readonly<Record<string, (made: Made) => TokenAct[]>> = {
  'transfer(address,uint256)': moved,
  'transferFrom(address,address,uint256)': moved,
  'transferAndCall(address,uint256)': moved,
  'transferAndCall(address,uint256,bytes)': moved,
  'transferFromAndCall(address,address,uint256)': moved,
  'transferFromAndCall(address,address,uint256,bytes)': moved,
  'send(address,uint256,bytes)': moved,
  'operatorSend(address,address,uint256,bytes,bytes)': moved,
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)': moved,
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)': moved,
  'receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)': moved,
  'receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)': moved,
  'transfer(address,uint256,uint256)': movedWithId,
  'transferFrom(address,address,uint256,uint256)': movedWithId,
  'transferPunk(address,uint256)': made => [
    move(made, made.call.args, { id: textOf(made.call.args, 'punkIndex'), amount: '1' }),
  ],
  'safeTransferFrom(address,address,uint256)': made => [item(made)],
  'safeTransferFrom(address,address,uint256,bytes)': made => [item(made)],
  'safeTransferFrom(address,address,uint256,uint256,bytes)': movedWithId,
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)': batch,
  'transferFrom(address,address,uint160,address)': made => [
    move(made, made.call.args, { token: textOf(made.call.args, 'token') }),
  ],
  'transferFrom((address,address,uint160,address)[])': permit2Moves,
  'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)': permit2Signed,
  'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)': permit2Signed,
  'permitWitnessTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes32,string,bytes)':
    permit2Signed,
  'permitWitnessTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes32,string,bytes)':
    permit2Signed,
  'approve(address,uint256)': approved,
  'approveAndCall(address,uint256)': approved,
  'approveAndCall(address,uint256,bytes)': approved,
  'approve(address,uint256,uint256)': ({ call, to }) => [allow(to, call.args, { id: textOf(call.args, 'id') })],
  'authorizeOperator(address)': made => [operate(made, null)],
  'revokeOperator(address)': made => [operate(made, '0')],
  'increaseAllowance(address,uint256)': ({ call, to }) => [allow(to, call.args, { adds: true })],
  'increaseApproval(address,uint256)': ({ call, to }) => [allow(to, call.args, { adds: true })],
  'approve(address,address,uint160,uint48)': ({ call: { args } }) => [
    allow(textOf(args, 'token'), args, { until: textOf(args, 'expiration') }),
  ],
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': approved,
  'permit(address,address,uint256,uint256,bytes)': approved,
  // DAI's permit has no amount: it allows everything or nothing.
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)': ({ call: { args }, to }) => [
    allow(to, args, { amount: textOf(args, 'allowed') === 'true' ? null : '0' }),
  ],
  'permit(address,uint256,uint256,uint8,bytes32,bytes32)': made => [allowItem(made)],
  'permit(address,uint256,uint256,bytes)': made => [allowItem(made)],
  'permit(address,uint256,uint256,uint256,bytes)': made => [allowItem(made)],
  'permitForAll(address,address,bool,uint256,uint8,bytes32,bytes32)': made => [allowAll(made)],
  'permitForAll(address,address,bool,uint256,uint256,bytes)': made => [allowAll(made)],
  'selfPermit(address,uint256,uint256,uint8,bytes32,bytes32)': made => [selfPermit(made)],
  'selfPermitIfNecessary(address,uint256,uint256,uint8,bytes32,bytes32)': made => [selfPermit(made)],
  'selfPermitAllowed(address,uint256,uint256,uint8,bytes32,bytes32)': made => [selfPermit(made)],
  'selfPermitAllowedIfNecessary(address,uint256,uint256,uint8,bytes32,bytes32)': made => [selfPermit(made)],
  'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)': ({ call }) =>
    permit2(partsOf(call.args, 'permitSingle')),
  'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)': ({ call }) =>
    permit2(partsOf(call.args, 'permitBatch')),
  'PERMIT2_PERMIT(((address,uint160,uint48,uint48),address,uint256),bytes)': ({ call }) =>
    permit2(partsOf(call.args, 'permitSingle')),
  'PERMIT2_PERMIT_BATCH(((address,uint160,uint48,uint48)[],address,uint256),bytes)': ({ call }) =>
    permit2(partsOf(call.args, 'permitBatch')),
  'PERMIT2_TRANSFER_FROM(address,address,uint160)': made => [
    move(made, made.call.args, {
      token: textOf(made.call.args, 'token'),
      to: recipientOf(made, textOf(made.call.args, 'to')),
    }),
  ],
  'PERMIT2_TRANSFER_FROM_BATCH((address,address,uint160,address)[])': permit2Moves,
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)': refunded,
  // 0x's AllowanceHolder: the spender may take the tokens only during the call.
  'exec(address,address,uint256,address,bytes)': ({ call: { args } }) => [allow(textOf(args, 'token'), args)],
  'setApprovalForAll(address,bool)': made => [allowAll(made)],
  'setOperator(address,bool)': made => [allowAll(made)],
  'offerPunkForSale(uint256,uint256)': made => [sellPunk(made, 'minSalePrice')],
  'offerPunkForSaleToAddress(uint256,uint256,address)': made => [
    { ...sellPunk(made, 'minSalePrice'), taker: textOf(made.call.args, 'toAddress') },
  ],
  'acceptBidForPunk(uint256,uint256)': made => [sellPunk(made, 'minPrice')],
}

const item = (made: Made) => move(made, made.call.args, { id: textOf(made.call.args, 'tokenId'), amount: '1' })

/** Returns the transfers and allowances by a token's own functions and by Permit2. Empty for other functions. */
const tokenActsOfCall = (made: Made): readonly TokenAct[] =>
  Object.hasOwn(READERS, made.call.signature) ? (READERS[made.call.signature]?.(made) ?? []) : []

/** Returns all acts of a call, excluding its nested calls. Empty for a function of which only the name is known. */
export const actsOfCall = (made: Made): readonly Act[] => [
  ...tokenActsOfCall(made),
  ...ordersOfCall(made),
  ...spendsOfCall(made),
  ...controlOfCall(made),
  ...gainsOfCall(made),
]
