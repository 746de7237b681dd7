/** Typed data whose signature takes tokens, in its plainest form, and how an adversary makes use of the signature. */
import { concat } from 'ethers'
import { type Random, shuffled } from '../random.ts'
import type { Level } from './case.ts'
import { encodeCall, type Irregular } from './encode.ts'
import {
  authorization,
  CHAIN_ID,
  type Data,
  daiPermit,
  fields,
  forwardRequest,
  permit,
  permitBatch,
  permitSingle,
  permitTransfer,
  permitTransfers,
  safeTransaction,
  userOperation,
} from './permits.ts'
import { type Contracts, type Family, SUPPLY } from './probes.ts'
import {
  ACCOUNT,
  addressNamed,
  ENTRY_POINT,
  FORWARDER,
  FRIEND,
  LOOKALIKE,
  MULTI_SEND,
  SAFE,
  type Sent,
  SPENDER,
  TOKENS,
  ZERO,
} from './world.ts'

/** `decoys` says how many harmless ones stand around what counts, where the form can hold several. */
export type Making = Contracts & {
  signer: string
  amount: bigint
  decoys: number | null
  irregular: Irregular
  random: Random
}
export type Signing = {
  family: Family
  amount: bigint
  least: Level
  /** Only the first account can sign it. */
  isOwners: boolean
  make(making: Making): Data
  /** The adversary's calls; none where the signature itself is what counts. */
  redeem(data: Data, signature: string, signer: string): readonly Sent[]
}

const [, OTHER_TOKEN = ''] = TOKENS
const TOKENS_5 = 5n * 10n ** 18n
const ALL = 2n ** 256n - 1n

const call = (to: unknown, signature: string, ...args: readonly unknown[]): Sent => ({
  to: String(to),
  value: 0n,
  data: encodeCall(signature, args),
})
const apart = (signature: string) => {
  const [r, s] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`]
  return { v: BigInt(`0x${signature.slice(130)}`), r, s }
}
const values = (struct: unknown) => Object.values(struct as Record<string, unknown>)
const cut = (amount: bigint) => (amount < 2n ** 160n ? amount : 2n ** 160n - 1n)

const forms = (name: string, form: Omit<Signing, 'amount' | 'least'>): [string, Signing][] =>
  (
    [
      ['some', TOKENS_5, 'caution'],
      ['the supply', SUPPLY, 'danger'],
      ['all', ALL, 'danger'],
    ] as const
  ).map(([text, amount, least]) => [`${name} ${text}`, { ...form, amount, least }])

const PERMIT = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'
const PERMIT_OF_DAI = 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)'
const PERMIT_SINGLE = 'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)'
const PERMIT_BATCH = 'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)'
const TAKE_ONE = 'permitTransferFrom(((address,uint256),uint256,uint256),address,bytes)'
const TAKE_ALL = 'permitTransferFrom(((address,uint256)[],uint256,uint256),address,bytes)'
const AUTHORIZED = '(address,address,uint256,uint256,uint256,bytes32,bytes)'

const among = <T>(one: T, decoy: T, { decoys, random }: Making): T[] =>
  shuffled(random, [one, ...Array<T>(decoys ?? 0).fill(decoy)])

const permits: [string, Signing][] = [
  ...forms('permit', {
    family: 'token',
    isOwners: false,
    make: ({ token, signer, amount }) => permit(token, signer, SPENDER, amount),
    redeem: ({ domain, message: { owner, spender, value, deadline } }, signature) => {
      const { v, r, s } = apart(signature)
      return [call(domain.verifyingContract, PERMIT, owner, spender, value, deadline, v, r, s)]
    },
  }),
  [
    'permit of DAI',
    {
      family: 'token',
      amount: 0n,
      least: 'danger',
      isOwners: false,
      make: ({ token, signer }) => daiPermit(token, signer, SPENDER, true),
      redeem: ({ domain, message: { holder, spender, nonce, expiry, allowed } }, signature) => {
        const { v, r, s } = apart(signature)
        return [call(domain.verifyingContract, PERMIT_OF_DAI, holder, spender, nonce, expiry, allowed, v, r, s)]
      },
    },
  ],
  ...forms('Permit2', {
    family: 'permit2',
    isOwners: false,
    make: making => {
      const { permit2, token, amount, decoys } = making
      const wanted = { token, amount: cut(amount) }
      if (decoys === null) return permitSingle(permit2, token, SPENDER, cut(amount))
      return permitBatch(
        permit2,
        SPENDER,
        among(wanted, { token: OTHER_TOKEN, amount: 1n }, making).slice(0, decoys + 1),
      )
    },
    redeem: ({ domain, message: { details, spender, sigDeadline } }, signature, signer) => {
      const isBatch = Array.isArray(details)
      const permitted = [isBatch ? details.map(values) : values(details), spender, sigDeadline]
      return [call(domain.verifyingContract, isBatch ? PERMIT_BATCH : PERMIT_SINGLE, signer, permitted, signature)]
    },
  }),
  ...forms('Permit2 transfer', {
    family: 'token',
    isOwners: false,
    make: making => {
      const { permit2, token, amount, decoys } = making
      if (decoys === null) return permitTransfer(permit2, token, SPENDER, amount)
      return permitTransfers(permit2, SPENDER, among({ token, amount }, { token, amount: 0n }, making))
    },
    redeem: ({ domain, message: { permitted, nonce, deadline } }, signature, signer) => {
      const isBatch = Array.isArray(permitted)
      const asked = [isBatch ? permitted.map(values) : values(permitted), nonce, deadline]
      return [call(domain.verifyingContract, isBatch ? TAKE_ALL : TAKE_ONE, asked, signer, signature)]
    },
  }),
]

const authorizations = (['Transfer', 'Receive'] as const).map((kind): [string, Signing] => [
  `${kind}WithAuthorization`,
  {
    family: 'token',
    amount: TOKENS_5,
    least: 'caution',
    isOwners: false,
    make: ({ token, signer, amount }) =>
      authorization(kind, token, signer, kind === 'Transfer' ? LOOKALIKE : SPENDER, amount),
    redeem: ({ domain, message }, signature) => {
      const name = kind === 'Transfer' ? 'transferWithAuthorization' : 'receiveWithAuthorization'
      return [call(domain.verifyingContract, `${name}${AUTHORIZED}`, ...values(message), signature)]
    },
  },
])

const approveAll = ({ amount, irregular }: Making): string =>
  encodeCall('approve(address,uint256)', [SPENDER, amount], irregular)

const packed = (operation: number, to: string, data: string): string =>
  concat([
    `0x0${operation}`,
    to,
    `0x${'0'.repeat(64)}`,
    `0x${((data.length - 2) / 2).toString(16).padStart(64, '0')}`,
    data,
  ])

const wallets: [string, Signing][] = [
  [
    'SafeTx',
    {
      family: 'token',
      amount: ALL,
      least: 'danger',
      isOwners: true,
      make: making => {
        const { token, decoys } = making
        if (decoys === null) return safeTransaction(SAFE, token, 0n, approveAll(making), 0)
        const harmless = packed(0, token, encodeCall('approve(address,uint256)', [FRIEND, 0n]))
        const calls = among(packed(0, token, approveAll(making)), harmless, making)
        const data = encodeCall('multiSend(bytes)', [concat(calls)], making.irregular)
        return safeTransaction(SAFE, MULTI_SEND, 0n, data, 1)
      },
      redeem: ({ message }, signature) => {
        const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = message
        const args = [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, signature]
        return [
          call(
            SAFE,
            `execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)`,
            ...args,
          ),
        ]
      },
    },
  ],
  [
    'PackedUserOperation',
    {
      family: 'token',
      amount: ALL,
      least: 'danger',
      isOwners: true,
      make: making => {
        const { token, decoys, irregular } = making
        const one = [token, 0n, approveAll(making)]
        const harmless = [token, 0n, encodeCall('approve(address,uint256)', [FRIEND, 0n])]
        const callData =
          decoys === null
            ? encodeCall('execute(address,uint256,bytes)', one, irregular)
            : encodeCall('executeBatch((address,uint256,bytes)[])', [among(one, harmless, making)], irregular)
        return userOperation(ENTRY_POINT, ACCOUNT, callData)
      },
      redeem: ({ message }, signature) => [
        call(
          ENTRY_POINT,
          'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)',
          [[...values(message), signature]],
          SPENDER,
        ),
      ],
    },
  ],
  [
    'ForwardRequest',
    {
      family: 'token',
      amount: ALL,
      least: 'danger',
      isOwners: true,
      make: making => forwardRequest(making.signer, making.token, approveAll(making)),
      redeem: ({ message: { from, to, value, gas, deadline, data } }, signature) => [
        call(FORWARDER, 'execute((address,address,uint256,uint256,uint48,bytes,bytes))', [
          from,
          to,
          value,
          gas,
          deadline,
          data,
          signature,
        ]),
      ],
    },
  ],
]

const ITEM = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const ORDER_TYPES = {
  OrderComponents: fields(
    'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
  ),
  OfferItem: fields(ITEM),
  ConsiderationItem: fields(`${ITEM},address recipient`),
}

/** Gives an item; what it brings goes to the signer, or to nobody. */
const order = (items: string, signer: string, price: bigint) => ({
  offerer: signer,
  zone: ZERO,
  offer: [{ itemType: 2n, token: items, identifierOrCriteria: BigInt(signer), startAmount: 1n, endAmount: 1n }],
  consideration: [
    { itemType: 0n, token: ZERO, identifierOrCriteria: 0n, startAmount: price, endAmount: price, recipient: signer },
  ],
  orderType: 0n,
  startTime: 0n,
  endTime: 4_000_000_000n,
  zoneHash: `0x${'0'.repeat(64)}`,
  salt: 1n,
  conduitKey: `0x${'0'.repeat(64)}`,
  counter: 0n,
})

/** A tree of lists of two, `levels` deep. */
const tree = (leaves: readonly unknown[], levels: number): unknown => {
  if (levels === 0) return leaves[0]
  const half = leaves.length / 2
  return [tree(leaves.slice(0, half), levels - 1), tree(leaves.slice(half), levels - 1)]
}

const seaport = { name: 'Seaport', version: '1.6', chainId: CHAIN_ID, verifyingContract: addressNamed('seaport') }

const given = (form: Omit<Signing, 'family' | 'amount' | 'least' | 'isOwners' | 'redeem'>): Signing => ({
  ...form,
  family: 'items',
  amount: 0n,
  least: 'danger',
  isOwners: false,
  redeem: () => [],
})

const MOST_LEVELS = 4
const LIMIT_ORDER = { makerAsset: 'makingAmount', takerAsset: 'takingAmount' }

const orders: [string, Signing][] = [
  [
    'Seaport order for nothing',
    given({
      make: ({ items, signer, decoys, random }) => {
        const empty = order(items, signer, 0n)
        if (decoys === null)
          return { types: ORDER_TYPES, primaryType: 'OrderComponents', domain: seaport, message: empty }
        const levels = 1 + (decoys % MOST_LEVELS)
        const leaves = shuffled(random, [empty, ...Array(2 ** levels - 1).fill(order(items, signer, 10n ** 18n))])
        const types = { BulkOrder: fields(`OrderComponents${'[2]'.repeat(levels)} tree`), ...ORDER_TYPES }
        return { types, primaryType: 'BulkOrder', domain: seaport, message: { tree: tree(leaves, levels) } }
      },
    }),
  ],
  [
    'limit order for nothing',
    given({
      make: ({ token, signer }) => ({
        types: {
          Order: fields(
            `uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 ${LIMIT_ORDER.makerAsset},uint256 ${LIMIT_ORDER.takerAsset},uint256 makerTraits`,
          ),
        },
        primaryType: 'Order',
        domain: {
          name: 'Limit orders',
          version: '4',
          chainId: CHAIN_ID,
          verifyingContract: addressNamed('limit orders'),
        },
        message: {
          salt: 1n,
          maker: signer,
          receiver: ZERO,
          makerAsset: token,
          takerAsset: OTHER_TOKEN,
          makingAmount: TOKENS_5,
          takingAmount: 0n,
          makerTraits: 0n,
        },
      }),
    }),
  ],
  [
    'order for somebody else',
    given({
      make: ({ token }) => ({
        types: {
          Order: fields(
            'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable',
          ),
        },
        primaryType: 'Order',
        domain: { name: 'Settlement', version: 'v2', chainId: CHAIN_ID, verifyingContract: addressNamed('settlement') },
        message: {
          sellToken: token,
          buyToken: OTHER_TOKEN,
          receiver: SPENDER,
          sellAmount: TOKENS_5,
          buyAmount: TOKENS_5,
          validTo: 4_000_000_000n,
          appData: `0x${'00'.repeat(32)}`,
          feeAmount: 0n,
          kind: 'sell',
          partiallyFillable: false,
        },
      }),
    }),
  ],
]

export const SIGNINGS: ReadonlyMap<string, Signing> = new Map([...permits, ...authorizations, ...wallets, ...orders])
