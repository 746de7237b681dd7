/** Courses of a request other than its approval: what the user, the page, the node or the time does instead. */
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { expect } from 'vitest'
import type { RequestView, TransactionEffect } from '../../extension/src/messages.ts'
import { refusal } from '../../extension/src/wallet/networks/node.fixture.ts'
import { REQUEST_LIFETIME } from '../../extension/src/wallet/tending.ts'
import {
  ADDRESS,
  ADDRESS_LOWER,
  type Answers,
  approve,
  NOW,
  PASSWORD,
  SECOND,
  SITE,
} from '../../extension/src/wallet/wallet.fixture.ts'
import type { World, WorldOptions } from './wallet-world.ts'

/** State in which the request finds the wallet. After a restart of the browser, its settings are unverified. */
export type Before = 'fresh' | 'connected' | 'locked' | 'restarted'

/** Actions of the user, the node and the clock while a request is in progress. */
export type Course = Pick<WorldOptions, 'person' | 'atLock' | 'now'> & {
  /** Results of the node other than the usual ones. */
  answers?: Answers
}

export type Lifecycle = {
  name: string
  before: Before
  request: { method: string; params?: unknown }
  /** The page's result: a pattern of the error or the result, or null if the page is closed. */
  answer: object | null
  /** Patterns of the sent transactions. */
  sent: readonly object[]
  start(world: () => World, note: (text: string) => void): Course
}

const sign = { method: 'personal_sign', params: ['0x1234', ADDRESS] }
const send = { method: 'eth_sendTransaction', params: [{ from: ADDRESS_LOWER, to: SECOND, value: '0x1' }] }
const connect = { method: 'eth_requestAccounts' }

const ASKED = 1_000n
const LIMITED = 7n
const allowanceOf = (amount: bigint) =>
  `0x095ea7b3${SECOND.slice(2).toLowerCase().padStart(64, '0')}${encodeQuantity(amount).slice(2).padStart(64, '0')}`
const allow = {
  method: 'eth_sendTransaction',
  params: [{ from: ADDRESS_LOWER, to: '0x00000000000000000000000000000000000000aa', data: allowanceOf(ASKED) }],
}

const yes = async (request: RequestView) => ({ approve: true, ...approve(request) })
const no = async () => ({ approve: false })

const unlocking = (world: () => World) => async () => {
  await world().ui.unlock({ password: PASSWORD })
  return null
}
/**
 * Lets the alarm that ends the request ring until the request has ended. A ring while the worker is tending has no
 * effect.
 */
const ringing = async (world: () => World) => {
  while ((await world().ui.getState(null)).requests.length > 0) await world().ring()
  return null
}
const rejection = { error: { code: 4001 } }
const signature = { result: expect.stringMatching(/^0x[0-9a-f]{130}$/) }
const hash = { result: expect.stringMatching(/^0x[0-9a-f]{64}$/) }

/** Changes the request until the window shows the change, tries to approve the form before it, and then approves. */
const editing =
  (
    isEdited: (effect: TransactionEffect) => boolean,
    edit: (world: World, request: RequestView) => Promise<unknown>,
  ): Lifecycle['start'] =>
  (world, note) => ({
    person: async request => {
      if (isEdited(request.effect as TransactionEffect)) {
        const older = { id: request.id, approve: true as const, revision: request.revision - 1 }
        note(
          await world()
            .ui.decide(older)
            .then(
              () => 'approved an older revision',
              ({ code }) => `refused with ${code}`,
            ),
        )
        return { approve: true }
      }
      await edit(world(), request)
      return null
    },
  })

const FEES = { maxFeePerGas: '0x3b9aca00', maxPriorityFeePerGas: '0x5' }

const rejected = (name: string, before: Before, request: Lifecycle['request']): Lifecycle => ({
  name,
  before,
  request,
  answer: rejection,
  sent: [],
  start: () => ({ person: no }),
})

const atLock: readonly Lifecycle[] = (['locked', 'restarted'] as const).flatMap((before): Lifecycle[] => [
  {
    name: `${before}: unlocked and approved`,
    before,
    request: sign,
    answer: signature,
    sent: [],
    start: world => ({ person: yes, atLock: unlocking(world) }),
  },
  {
    name: `${before}: unlocked and sent`,
    before,
    request: send,
    answer: hash,
    sent: [{ to: SECOND }],
    start: world => ({ person: yes, atLock: unlocking(world) }),
  },
  {
    name: `${before}: unlocked and rejected`,
    before,
    request: sign,
    answer: rejection,
    sent: [],
    start: world => ({ person: no, atLock: unlocking(world) }),
  },
  {
    name: `${before}: rejected at the lock`,
    before,
    request: sign,
    answer: rejection,
    sent: [],
    start: () => ({ person: yes, atLock: async () => ({ approve: false }) }),
  },
  {
    name: `${before}: answered by the unlock`,
    before,
    request: connect,
    answer: { result: [ADDRESS_LOWER] },
    sent: [],
    start: world => ({ person: yes, atLock: unlocking(world) }),
  },
])

const edited: readonly Lifecycle[] = [
  {
    name: 'nonce changed and approved',
    before: 'connected',
    request: send,
    answer: hash,
    sent: [{ nonce: 5, to: SECOND }],
    start: editing(
      ({ nonce }) => nonce === '0x5',
      ({ ui }, { id }) => ui.editTransaction({ id, nonce: '0x5' }),
    ),
  },
  {
    name: 'fees changed and approved',
    before: 'connected',
    request: send,
    answer: hash,
    sent: [{ maxFeePerGas: BigInt(FEES.maxFeePerGas), maxPriorityFeePerGas: BigInt(FEES.maxPriorityFeePerGas) }],
    start: editing(
      ({ fees }) => JSON.stringify(fees).includes(FEES.maxFeePerGas),
      ({ ui }, { id }) => ui.editTransaction({ id, fees: FEES }),
    ),
  },
  {
    name: 'allowance limited and approved',
    before: 'connected',
    request: allow,
    answer: hash,
    sent: [{ data: allowanceOf(LIMITED) }],
    start: editing(
      ({ limit }) => limit?.changed === true,
      ({ ui }, { id }) => ui.setAllowance({ id, amount: `${LIMITED}` }),
    ),
  },
]

const ended: readonly Lifecycle[] = [
  {
    name: 'refused by the node',
    before: 'connected',
    request: send,
    answer: { error: { message: expect.stringContaining('insufficient funds') } },
    sent: [],
    start: () => ({
      person: yes,
      answers: {
        eth_sendRawTransaction: () => {
          throw refusal('invalidInput', 'insufficient funds for gas * price + value')
        },
      },
    }),
  },
  {
    name: 'reviewed late and approved',
    before: 'connected',
    request: send,
    answer: hash,
    sent: [{ to: SECOND }],
    start: world => ({
      person: yes,
      answers: {
        eth_getBlockByNumber: async () => {
          await world().opened
          return { baseFeePerGas: '0x64' }
        },
      },
    }),
  },
  {
    name: 'page closed',
    before: 'connected',
    request: send,
    answer: null,
    sent: [],
    start: world => ({
      person: async () => {
        world().closePage()
        // The alarm lets the worker notice this even if the page was not connected to it yet.
        return ringing(world)
      },
    }),
  },
  {
    name: 'expired',
    before: 'connected',
    request: sign,
    answer: { error: { code: 4001, message: expect.stringContaining('not decided in time') } },
    sent: [],
    start: world => {
      let time = NOW
      return {
        now: () => time,
        person: async () => {
          time = NOW + REQUEST_LIFETIME
          return ringing(world)
        },
      }
    },
  },
  {
    name: 'site disconnected',
    before: 'connected',
    request: sign,
    answer: { error: { code: 4001, message: expect.stringContaining('disconnect') } },
    sent: [],
    start: world => ({
      person: async () => {
        await world().ui.disconnectSite({ origin: SITE })
        return null
      },
    }),
  },
  {
    name: 'window closed',
    before: 'connected',
    request: sign,
    answer: rejection,
    sent: [],
    start: world => ({
      person: async () => {
        world().closeWindow()
        return null
      },
    }),
  },
]

export const lifecycles: readonly Lifecycle[] = [
  rejected('message rejected', 'connected', sign),
  rejected('transaction rejected', 'connected', send),
  rejected('connection rejected', 'fresh', connect),
  ...atLock,
  ...edited,
  ...ended,
]
