/**
 * Stops the wallet's worker at every change in the courses of a request that `wallet-kill.test.ts` leaves out: a
 * rejection, a lock, a changed or failed transaction, a slow node, and requests that end without a decision. Every
 * course must end as it does without a stop.
 */
import { Transaction } from 'ethers'
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Stores } from '../../extension/src/wallet/storage/store.ts'
import { approve, FIRST_KEY, PASSWORD, startWallet } from '../../extension/src/wallet/wallet.fixture.ts'
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
import { type Before, type Lifecycle, lifecycles } from './wallet-lifecycles.ts'
import { type Kept, keptOf, startWorld, type World } from './wallet-world.ts'

vi.mock('../../extension/src/browser/api.ts', () => import('./stopping-browser.ts'))
// The timeout is long, because stopping at every change is much work, and a busy machine is slow.
vi.setConfig({ testTimeout: 10 * LONGEST_ANSWER })

let kept: Record<Before, Kept>

beforeAll(async () => {
  const create = (store: Stores) =>
    startWallet({ store }).wallet.ui.createVault({ password: PASSWORD, privateKey: FIRST_KEY })
  const connect = async (store: Stores) => {
    await create(store)
    const { wallet, ask } = startWallet({ store, person: approve })
    await ask('eth_requestAccounts')
    return wallet
  }
  const connected = await keptOf(connect)
  kept = {
    fresh: await keptOf(create),
    connected,
    locked: await keptOf(async store => (await connect(store)).ui.lock(null)),
    restarted: { ...connected, session: new Map() },
  }
})

/** Resolves with the page's result, or with null if the page was closed. */
const outcomeOf = ({ provider, pageClosed }: World, { request }: Lifecycle) => {
  const answer = provider.request(request).then(
    result => ({ result }),
    ({ code, message, data }) => ({ error: { code, message, data } }),
  )
  return Promise.race([answer, pageClosed.then(() => null)])
}

/** Responses to the page's request, without its id. A page that repeats an answered request gets the same response. */
const responsesTo = async (world: World, { request }: Lifecycle) => {
  const responses = await world.repeat(request.method)
  return responses.map(response => ({ ...Object(response), id: null }))
}

/** Returns the methods of the requests that count as rejected. */
const readRejections = ({ session }: World['outside']): readonly unknown[] => {
  const { rejections } = JSON.parse(session.get('rejections') ?? '{"rejections":[]}')
  return rejections.map(({ methods }: { methods: readonly string[] }) => methods)
}

/** Runs a lifecycle to its end. `onAct` is called before each act of the user. */
const run = async (lifecycle: Lifecycle, stops: readonly Stop[], onAct: (world: World) => void = () => {}) => {
  const notes = new Set<string>()
  const {
    answers = {},
    person,
    atLock,
    ...course
  } = lifecycle.start(
    () => world,
    note => notes.add(note),
  )
  const node = startStrictNode(answers)
  const signed = new Set<unknown>()
  const world: World = startWorld(kept[lifecycle.before], {
    ...course,
    stops,
    person: request => {
      onAct(world)
      return person(request)
    },
    atLock: async waiting => {
      onAct(world)
      return (await atLock?.(waiting)) ?? null
    },
    chain: async (network, method, params) => {
      if (method === 'eth_sendRawTransaction') signed.add(params?.[0])
      return node.chain(network, method, params)
    },
  })
  const answer = await outcomeOf(world, lifecycle)
  await world.allClosed()
  await world.quiet()
  const { outside } = world
  const possible = stopsAtChanges(world)
  const result = {
    answer,
    answeredTwice: [...world.answers.values()].filter(({ length }) => length > 1).length,
    signed: [...signed],
    sent: [...node.sent],
    notes: [...notes],
    local: await readLocal(outside),
    waiting: readWaiting(outside),
    rejections: readRejections(outside),
    responses: answer ? await responsesTo(world, lifecycle) : [],
  }
  world.end()
  return { result, windows: outside.opened - world.closings(), possible }
}

/** Returns the result without a stop, the number of windows, and the stops to try, from the user's first act on. */
const undisturbed = async (lifecycle: Lifecycle) => {
  const acts: number[] = []
  const { result, windows, possible } = await inTime(run(lifecycle, [], world => acts.push(world.steps())))
  expect(result).toMatchObject({ answer: lifecycle.answer, answeredTwice: 0, waiting: [] })
  expect(result.responses).toEqual(lifecycle.answer ? [result.responses[0], result.responses[0]] : [])
  expect(result.sent.map(raw => Transaction.from(raw))).toMatchObject(lifecycle.sent)
  const first = Math.min(...acts)
  return { expected: result, windows, stops: possible.filter(({ step }) => step > first) }
}

/** Returns the result of a lifecycle with these stops, and whether it opened more windows than without. */
const stopped = async (lifecycle: Lifecycle, stops: readonly Stop[], most: number) => {
  try {
    const { result, windows } = await inTime(run(lifecycle, stops))
    return { result, opensMore: windows > most }
  } catch (error) {
    return { error }
  }
}

/** The gate tries one lifecycle for each path. */
const IN_GATE =
  /^(message rejected|restarted: unlocked and approved|nonce changed and approved|reviewed late and approved|refused by the node|page closed|expired|site disconnected|window closed)$/

test.each(lifecycles.filter(({ name }) => isComplete || IN_GATE.test(name)))(
  '$name: a stop at any change does not change the result',
  async lifecycle => {
    const { expected, windows, stops } = await undisturbed(lifecycle)
    expect(stops.length).toBeGreaterThan(5)
    const one = async (stop: Stop) => ({ stop, ...(await stopped(lifecycle, [stop], windows)) })
    for (const { stop, ...given } of await inLots(stops, one))
      expect({ stop, ...given }).toEqual({ stop, result: expected, opensMore: false })
  },
)

/**
 * Lifecycles for several stops. "window closed" is left out: a tab that opens the window too often no longer opens it,
 * so after several stops the request would wait for the user.
 */
const repeatable = lifecycles.filter(({ name }) => name !== 'window closed')

/** Only the complete run stops the worker at random steps. */
if (isComplete)
  test('repeated stops at any steps do not change the result', async () => {
    const stop: fc.Arbitrary<Stop> = fc.record({
      step: fc.integer({ min: 1, max: 200 }),
      moment: fc.constantFrom('before' as const, 'after' as const),
    })
    const course = fc.record({
      lifecycle: fc.constantFrom(...repeatable),
      stops: fc.array(stop, { minLength: 2, maxLength: 5 }),
    })
    const expected = new Map<Lifecycle, Awaited<ReturnType<typeof undisturbed>>>()
    for (const lifecycle of repeatable) expected.set(lifecycle, await undisturbed(lifecycle))
    const one = async ({ lifecycle, stops }: { lifecycle: Lifecycle; stops: Stop[] }) => ({
      lifecycle,
      stops,
      ...(await stopped(lifecycle, stops, expected.get(lifecycle)?.windows ?? 0)),
    })
    for (const { lifecycle, stops, ...given } of await inLots(fc.sample(course, RANDOM_COURSES), one))
      expect({ name: lifecycle.name, stops, ...given }).toEqual({
        name: lifecycle.name,
        stops,
        result: expected.get(lifecycle)?.expected,
        opensMore: false,
      })
  })
