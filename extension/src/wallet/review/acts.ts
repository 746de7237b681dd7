/** Token transfers and allowances of a decoded call, read from its arguments alone. */
import type { Call, CallArgument } from '@heliograph/shared/evm/calldata'
import type { TokenAct } from '../../messages.ts'
import { boundedAmount } from './amounts.ts'

type DecodedCall = Extract<Call, { kind: 'call' }>
/** A decoded call, the contract that it is sent to and the account that makes it. */
type Made = { call: DecodedCall; to: string; account: string }

const find = (args: readonly CallArgument[], name: string) => args.find(arg => arg.name === name)
const textOf = (args: readonly CallArgument[], name: string): string => String(find(args, name)?.value ?? '')
const partsOf = (args: readonly CallArgument[], name: string): readonly CallArgument[] => {
  const value = find(args, name)?.value ?? []
  return typeof value === 'string' ? [] : value
}

const amountOf = (args: readonly CallArgument[]): string | null => {
  const value = find(args, 'value')
  return value === undefined ? null : boundedAmount(value.type, String(value.value))
}

const allow = (token: string, args: readonly CallArgument[], more: Partial<TokenAct & { kind: 'allow' }> = {}) => {
  const amount = amountOf(args)
  return {
    kind: 'allow',
    token,
    spender: textOf(args, 'spender'),
    amount,
    until: null,
    adds: false,
    ...(amount === null && { asked: textOf(args, 'value') }),
    ...more,
  } satisfies TokenAct
}

const move = (
  { to, account }: Made,
  args: readonly CallArgument[],
  more: Partial<TokenAct & { kind: 'transfer' }> = {},
) =>
  ({
    kind: 'transfer',
    token: to,
    from: textOf(args, 'from') || account,
    to: textOf(args, 'to'),
    amount: textOf(args, 'value'),
    id: null,
    ...more,
  }) satisfies TokenAct

/** A Permit2 permit holds one allowance, or a list of allowances for the same spender. */
const permit2 = (permit: readonly CallArgument[]): TokenAct[] => {
  const details = partsOf(permit, 'details')
  const list = find(permit, 'details')?.type.endsWith('[]') ? details.map(({ value }) => value) : [details]
  return list.flatMap(detail =>
    typeof detail === 'string'
      ? []
      : [
          allow(textOf(detail, 'token'), detail, {
            spender: textOf(permit, 'spender'),
            until: textOf(detail, 'expiration'),
          }),
        ],
  )
}

const batch = (made: Made): TokenAct[] => {
  const { args } = made.call
  const values = partsOf(args, 'values')
  return partsOf(args, 'ids').map(({ value }, at) =>
    move(made, args, { id: String(value), amount: String(values[at]?.value ?? '') }),
  )
}

const permit2Moves = (made: Made): TokenAct[] =>
  partsOf(made.call.args, 'transferDetails').flatMap(({ value }) =>
    typeof value === 'string' ? [] : [move(made, value, { token: textOf(value, 'token') })],
  )

/** Placeholder recipients of the Universal Router: the caller, and the router itself. */
const CALLER = '0x0000000000000000000000000000000000000001'
const ROUTER = '0x0000000000000000000000000000000000000002'
const recipientOf = ({ call, to, account }: Made): string => {
  const recipient = textOf(call.args, 'to')
  if (recipient === CALLER) return account
  return recipient === ROUTER ? to : recipient
}

const READERS: Readonly<Record<string, (made: Made) => TokenAct[]>> = {
  'transfer(address,uint256)': made => [move(made, made.call.args)],
  'transferFrom(address,address,uint256)': made => [move(made, made.call.args)],
  'safeTransferFrom(address,address,uint256)': made => [item(made)],
  'safeTransferFrom(address,address,uint256,bytes)': made => [item(made)],
  'safeTransferFrom(address,address,uint256,uint256,bytes)': made => [
    move(made, made.call.args, { id: textOf(made.call.args, 'id') }),
  ],
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)': batch,
  'transferFrom(address,address,uint160,address)': made => [
    move(made, made.call.args, { token: textOf(made.call.args, 'token') }),
  ],
  'transferFrom((address,address,uint160,address)[])': permit2Moves,
  'approve(address,uint256)': ({ call, to }) => [allow(to, call.args)],
  'increaseAllowance(address,uint256)': ({ call, to }) => [allow(to, call.args, { adds: true })],
  'increaseApproval(address,uint256)': ({ call, to }) => [allow(to, call.args, { adds: true })],
  'approve(address,address,uint160,uint48)': ({ call: { args } }) => [
    allow(textOf(args, 'token'), args, { until: textOf(args, 'expiration') }),
  ],
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': ({ call, to }) => [allow(to, call.args)],
  // DAI's permit has no amount: it allows everything or nothing.
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)': ({ call: { args }, to }) => [
    allow(to, args, { amount: textOf(args, 'allowed') === 'true' ? null : '0' }),
  ],
  'permit(address,uint256,uint256,uint8,bytes32,bytes32)': ({ call: { args }, to }) => [
    allow(to, args, { amount: textOf(args, 'tokenId') }),
  ],
  'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)': ({ call }) =>
    permit2(partsOf(call.args, 'permitSingle')),
  'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)': ({ call }) =>
    permit2(partsOf(call.args, 'permitBatch')),
  'PERMIT2_PERMIT(((address,uint160,uint48,uint48),address,uint256),bytes)': ({ call }) =>
    permit2(partsOf(call.args, 'permitSingle')),
  'PERMIT2_PERMIT_BATCH(((address,uint160,uint48,uint48)[],address,uint256),bytes)': ({ call }) =>
    permit2(partsOf(call.args, 'permitBatch')),
  'PERMIT2_TRANSFER_FROM(address,address,uint160)': made => [
    move(made, made.call.args, { token: textOf(made.call.args, 'token'), to: recipientOf(made) }),
  ],
  'PERMIT2_TRANSFER_FROM_BATCH((address,address,uint160,address)[])': permit2Moves,
  'setApprovalForAll(address,bool)': ({ call: { args }, to }) => [
    { kind: 'allowAll', token: to, spender: textOf(args, 'operator'), allowed: textOf(args, 'approved') === 'true' },
  ],
}

const item = (made: Made) => move(made, made.call.args, { id: textOf(made.call.args, 'tokenId'), amount: '1' })

/** Empty for a function that is not in the table. */
export const actsOfCall = (made: Made): readonly TokenAct[] =>
  Object.hasOwn(READERS, made.call.signature) ? (READERS[made.call.signature]?.(made) ?? []) : []
