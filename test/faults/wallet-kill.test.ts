/**
 * Stops the wallet's worker at every change that every kind of request makes, before and after it: each write of its
 * storage, each call to a window and each transaction. There must still be exactly one window, one signature, one
 * transaction and one response. Random stops also come after reads.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Stores } from '../../extension/src/wallet/storage/store.ts'
import { batchAnswers } from '../../extension/src/wallet/transactions/batch-delegate.fixture.ts'
import { type Answers, approve, FIRST_KEY, PASSWORD, startWallet } from '../../extension/src/wallet/wallet.fixture.ts'
import { isComplete } from '../support/suite.ts'
import {
  inLots,
  inTime,
  LONGEST_ANSWER,
  RANDOM_COURSES,
  readLocal,
  readWaiting,
  startStrictNode,
  stopsAtChanges,
} from './stop-runs.ts'
import type { Stop } from './stopping-browser.ts'
import { type Kind, kinds } from './wallet-kinds.ts'
import { type Kept, keptOf, startWorld, type World, type WorldOptions } from './wallet-world.ts'

vi.mock('../../extension/src/browser/api.ts', () => import('./stopping-browser.ts'))

let fresh: Kept
let connected: Kept
const keptFor = ({ name }: Kind): Kept => (name === 'connect' ? fresh : connected)

beforeAll(async () => {
  // The wallet has a private key instead of a phrase. Deriving a phrase's key again in each worker that signs would be
  // a quarter of the work.
  const create = (store: Stores) =>
    startWallet({ store }).wallet.ui.createVault({ password: PASSWORD, privateKey: FIRST_KEY })
  fresh = await keptOf(create)
  connected = await keptOf(async store => {
    await create(store)
    await startWallet({ store, person: approve }).ask('eth_requestAccounts')
  })
})

/** Milliseconds that the user takes to read, long enough for the page to repeat its requests. */
const READING = 80

const readAndApprove: WorldOptions['person'] = async request => {
  await pause(READING)
  return { approve: true, ...approve(request) }
}

/** Responses of the node. The added network's chain id is 0x539. */
const answers: Answers = { eth_chainId: () => '0x539', ...batchAnswers() }

// The timeout is long, because stopping at every change is much work, and a busy machine is slow.
vi.setConfig({ testTimeout: 10 * LONGEST_ANSWER })

/** Returns the outcome of a request once it has a response and the worker is idle. */
const resultOf = async (world: World, sent: readonly string[], kind: Kind) => {
  const answer = await inTime(world.provider.request(kind.request))
  await world.quiet()
  const { outside, provider, answers } = world
  return {
    answer,
    answeredTwice: [...answers.values()].filter(({ length }) => length > 1).length,
    windows: outside.opened,
    sent: [...sent],
    local: await readLocal(outside),
    waiting: readWaiting(outside),
    chainId: provider.chainId,
    account: provider.selectedAddress,
  }
}

const run = (kind: Kind, stops: readonly Stop[], more: Answers = {}) => {
  const node = startStrictNode({ ...answers, ...more })
  const world = startWorld(keptFor(kind), { chain: node.chain, person: readAndApprove, stops })
  return { world, result: resultOf(world, node.sent, kind) }
}

/** Returns the outcome without a stop, and the stops to try. */
const undisturbed = async (kind: Kind) => {
  const { world, result } = run(kind, [])
  const expected = await result
  expect([expected.windows, expected.sent.length, expected.waiting]).toEqual([kind.windows, kind.transactions, []])
  return { expected, stops: stopsAtChanges(world) }
}

/** Kinds that the gate skips, because other kinds take the same steps. */
const ALIKE = isComplete ? /^$/ : /^(typed data|signTransaction|sendCalls together|switch the chain|watchAsset)$/

test.each(kinds.filter(({ name }) => !ALIKE.test(name)))(
  '$name: a stop at any change does not change the result',
  async kind => {
    const { expected, stops } = await undisturbed(kind)
    expect(stops.length).toBeGreaterThan(0)
    const one = async (stop: Stop) => ({
      stop,
      result: await run(kind, [stop]).result.catch((error: unknown) => error),
    })
    for (const { stop, result } of await inLots(stops, one))
      expect({ stop, result }).toEqual({ stop, result: expected })
  },
)

const NONCED = isComplete ? /^(send|sign)(Transaction|Calls)( together)?$/ : /^sendTransaction$/
test.each(kinds.filter(({ name }) => NONCED.test(name)))(
  '$name: signed once, even if another wallet uses nonces of the account meanwhile',
  async kind => {
    const { stops } = await undisturbed(kind)
    const one = async (stop: Stop) => {
      let nonce = 0
      const { result } = run(kind, [stop], { eth_getTransactionCount: () => encodeQuantity(nonce++) })
      const { sent, windows, waiting } = await result
      return { stop, sent: sent.length, windows, waiting }
    }
    for (const { stop, ...result } of await inLots(stops, one))
      expect({ stop, ...result }).toEqual({ stop, sent: kind.transactions, windows: 1, waiting: [] })
  },
)

/** Only the complete run stops the worker at random steps. */
if (isComplete)
  test('repeated stops at any steps do not change the result', async () => {
    const stop: fc.Arbitrary<Stop> = fc.record({
      step: fc.integer({ min: 1, max: 150 }),
      moment: fc.constantFrom('before' as const, 'after' as const),
    })
    const expected = new Map<Kind, unknown>()
    for (const kind of kinds) expected.set(kind, (await undisturbed(kind)).expected)
    const course = fc.record({ kind: fc.constantFrom(...kinds), stops: fc.array(stop, { minLength: 2, maxLength: 6 }) })
    const one = async ({ kind, stops }: { kind: Kind; stops: Stop[] }) => ({
      kind,
      stops,
      result: await run(kind, stops).result.catch((error: unknown) => error),
    })
    for (const { kind, stops, result } of await inLots(fc.sample(course, RANDOM_COURSES), one))
      expect({ kind, stops, result }).toEqual({ kind, stops, result: expected.get(kind) })
  })
