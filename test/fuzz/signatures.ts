/** Typed data whose signature moves tokens, in its simplest form, and the adversary's use of the signature. */
import { concat } from 'ethers'
import { shuffled } from '../support/random.ts'
import { ACCOUNT, ENTRY_POINT, FORWARDER, FRIEND, LOOKALIKE, MULTI_SEND, SAFE, SPENDER, TOKENS } from './addresses.ts'
import { encodeCall } from './encode.ts'
import { orders } from './orders.ts'
import {
  authorization,
  daiPermit,
  forwardRequest,
  permit,
  permitBatch,
  permitSingle,
  permitTransfer,
  permitTransfers,
  safeTransaction,
  userOperation,
} from './permits.ts'
import { SUPPLY } from './probes.ts'
import type { Making, Signing } from './signing.ts'
import type { Sent } from './world.ts'

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

/** `execTransaction` takes all fields of the signed struct except the nonce, and then the signatures. */
export const EXECUTE = 'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)'
export const safeArguments = ({ nonce: _, ...message }: Record<string, unknown>, signature: string): unknown[] => [
  ...Object.values(message),
  signature,
]

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
        if (decoys === null)
          return safeTransaction(SAFE, { to: token, value: 0n, data: approveAll(making), operation: 0 })
        const harmless = packed(0, token, encodeCall('approve(address,uint256)', [FRIEND, 0n]))
        const calls = among(packed(0, token, approveAll(making)), harmless, making)
        const data = encodeCall('multiSend(bytes)', [concat(calls)], making.irregular)
        return safeTransaction(SAFE, { to: MULTI_SEND, value: 0n, data, operation: 1 })
      },
      redeem: ({ message }, signature) => [call(SAFE, EXECUTE, ...safeArguments(message, signature))],
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

export const SIGNINGS: ReadonlyMap<string, Signing> = new Map([...permits, ...authorizations, ...wallets, ...orders])
