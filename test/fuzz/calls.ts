/** Transactions that need a warning, each in its simplest form. */

import { FRIEND, LOOKALIKE, OWNERS, SPENDER, TOKENS, ZERO } from './addresses.ts'
import type { Level } from './case.ts'
import { encodeCall } from './encode.ts'
import { daiPermit, FAR, permit, permitBatch, permitSingle, signed } from './permits.ts'
import { type Contracts, type Family, SUPPLY } from './probes.ts'

/** A call with arguments that are not encoded yet. */
export type Call = { to: string; value: bigint; signature: string; args: readonly unknown[] }
/** The contracts, and the account that makes the call. */
export type Place = Contracts & { holder: string }
export type Transaction = { family: Family; amount: bigint; least: Level; call(place: Place, amount: bigint): Call }

const [OWNER] = OWNERS
const [, OTHER_TOKEN = ''] = TOKENS
const TOKENS_5 = 5n * 10n ** 18n

/** Amounts next to limits of the review. They replace a fixture's amount. */
export const AMOUNTS: readonly bigint[] = [
  TOKENS_5,
  ...[SUPPLY, 2n ** 96n, 2n ** 128n, 2n ** 159n, 2n ** 160n, 2n ** 255n].flatMap(bound => [
    bound - 1n,
    bound,
    bound + 1n,
  ]),
  2n ** 256n - 2n,
  2n ** 256n - 1n,
]

const on = (to: string, signature: string, ...args: readonly unknown[]): Call => ({ to, value: 0n, signature, args })

const allowances = (name: string, family: Family, call: Transaction['call']) =>
  (
    [
      ['some', TOKENS_5, 'caution'],
      ['the supply', SUPPLY, 'danger'],
      ['2^160-1', 2n ** 160n - 1n, 'danger'],
      ['all', 2n ** 256n - 1n, 'danger'],
    ] as const
  ).map(([text, amount, least]): [string, Transaction] => [`${name} ${text}`, { family, amount, least, call }])

const fixed = (
  name: string,
  family: Family,
  call: (place: Place) => Call,
  least: Level = 'danger',
): [string, Transaction] => [name, { family, amount: 0n, least, call }]

/** Limits an amount to the 160 bits that Permit2 stores. */
const cut = (amount: bigint) => (amount < 2n ** 160n ? amount : 2n ** 160n - 1n)
const EXPIRY = 2n ** 48n - 1n

const permit2Args = (data: { message: Record<string, unknown> }, spender: string) => {
  const { details, sigDeadline } = data.message
  const asList = (detail: unknown) => Object.values(detail as Record<string, unknown>)
  return [Array.isArray(details) ? details.map(asList) : asList(details), spender, sigDeadline]
}

const DETAILS = '(address,uint160,uint48,uint48)'

export const TRANSACTIONS: ReadonlyMap<string, Transaction> = new Map([
  ...allowances('approve', 'token', ({ token }, amount) => on(token, 'approve(address,uint256)', SPENDER, amount)),
  ...allowances('increaseAllowance', 'token', ({ token }, amount) =>
    on(token, 'increaseAllowance(address,uint256)', SPENDER, amount),
  ),
  ...allowances('increaseApproval', 'token', ({ token }, amount) =>
    on(token, 'increaseApproval(address,uint256)', SPENDER, amount),
  ),
  ...allowances('permit', 'token', ({ token }, amount) => {
    const { v, r, s } = signed(permit(token, OWNER, SPENDER, amount))
    const signature = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'
    return on(token, signature, OWNER, SPENDER, amount, FAR, v, r, s)
  }),
  fixed('permit of DAI', 'token', ({ token }) => {
    const { v, r, s } = signed(daiPermit(token, OWNER, SPENDER, true))
    const signature = 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)'
    return on(token, signature, OWNER, SPENDER, 0n, 0n, true, v, r, s)
  }),
  fixed('transfer to a lookalike', 'token', ({ token }) => on(token, 'transfer(address,uint256)', LOOKALIKE, TOKENS_5)),
  fixed('transfer to the token', 'token', ({ token }) => on(token, 'transfer(address,uint256)', token, TOKENS_5)),
  fixed('transferFrom to a lookalike', 'token', ({ token, holder }) =>
    on(token, 'transferFrom(address,address,uint256)', holder, LOOKALIKE, TOKENS_5),
  ),
  fixed('setApprovalForAll', 'items', ({ items }) => on(items, 'setApprovalForAll(address,bool)', SPENDER, true)),
  fixed(
    'approve an item',
    'items',
    ({ items, holder }) => on(items, 'approve(address,uint256)', SPENDER, BigInt(holder)),
    'caution',
  ),
  fixed('transferFrom an item', 'items', ({ items, holder }) =>
    on(items, 'transferFrom(address,address,uint256)', holder, LOOKALIKE, BigInt(holder)),
  ),
  fixed('safeTransferFrom', 'items', ({ items, holder }) =>
    on(items, 'safeTransferFrom(address,address,uint256)', holder, LOOKALIKE, BigInt(holder)),
  ),
  fixed('safeTransferFrom with data', 'items', ({ items, holder }) =>
    on(items, 'safeTransferFrom(address,address,uint256,bytes)', holder, LOOKALIKE, BigInt(holder), '0x1234'),
  ),
  fixed('safeTransferFrom of copies', 'items', ({ items, holder }) =>
    on(items, 'safeTransferFrom(address,address,uint256,uint256,bytes)', holder, LOOKALIKE, 1n, 20n, '0x'),
  ),
  fixed('safeBatchTransferFrom', 'items', ({ items, holder }) => {
    const signature = 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)'
    return on(items, signature, holder, LOOKALIKE, [0n, 1n], [30n, 30n], '0x')
  }),
  ...allowances('Permit2 approve', 'permit2', ({ permit2, token }, amount) =>
    on(permit2, 'approve(address,address,uint160,uint48)', token, SPENDER, cut(amount), EXPIRY),
  ),
  ...allowances('Permit2 permit', 'permit2', ({ permit2, token }, amount) => {
    const data = permitSingle(permit2, token, SPENDER, cut(amount))
    const signature = `permit(address,(${DETAILS},address,uint256),bytes)`
    return on(permit2, signature, OWNER, permit2Args(data, SPENDER), signed(data).serialized)
  }),
  ...allowances('Permit2 permit of a batch', 'permit2', ({ permit2, token }, amount) => {
    const data = permitBatch(permit2, SPENDER, [
      { token: OTHER_TOKEN, amount: 1n },
      { token, amount: cut(amount) },
    ])
    const signature = `permit(address,(${DETAILS}[],address,uint256),bytes)`
    return on(permit2, signature, OWNER, permit2Args(data, SPENDER), signed(data).serialized)
  }),
  fixed('Permit2 transferFrom', 'permit2', ({ permit2, token, holder }) =>
    on(permit2, 'transferFrom(address,address,uint160,address)', holder, LOOKALIKE, TOKENS_5, token),
  ),
  fixed('Permit2 transferFrom of a batch', 'permit2', ({ permit2, token, holder }) => {
    const moved = [LOOKALIKE, FRIEND].map(to => [holder, to, TOKENS_5, token])
    return on(permit2, 'transferFrom((address,address,uint160,address)[])', moved)
  }),
  fixed('transfer to the zero address', 'token', ({ token }) => on(token, 'transfer(address,uint256)', ZERO, TOKENS_5)),
  fixed('coins to the zero address', 'coins', () => ({ to: ZERO, value: 10n ** 15n, signature: '', args: [] })),
  fixed('coins to a lookalike', 'coins', () => ({ to: LOOKALIKE, value: 10n ** 15n, signature: '', args: [] })),
])

/** Returns a harmless call to the same contract, to be placed before and after the harmful call. */
export const decoyOf = (family: Family, { token, items, permit2 }: Contracts): { to: string; data: string } => {
  if (family === 'items') return { to: items, data: encodeCall('setApprovalForAll(address,bool)', [FRIEND, false]) }
  if (family === 'permit2')
    return { to: permit2, data: encodeCall('approve(address,address,uint160,uint48)', [token, FRIEND, 0n, 1n]) }
  return { to: token, data: encodeCall('approve(address,uint256)', [FRIEND, 0n]) }
}
