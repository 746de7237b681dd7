/** Shared parts of the tests that stop the wallet's worker: a strict node, the stops to try, and the compared state. */
import { refusal } from '../../extension/src/wallet/networks/node.fixture.ts'
import type { Chain } from '../../extension/src/wallet/networks/node.ts'
import { SEALED_FILES, SETTINGS } from '../../extension/src/wallet/storage/registry.ts'
import { type Answers, startNode, trustedOf } from '../../extension/src/wallet/wallet.fixture.ts'
import { isComplete } from '../support/suite.ts'
import { createGate, type Stop, storeBehind } from './stopping-browser.ts'
import type { World } from './wallet-world.ts'

/**
 * Milliseconds after which a request counts as unanswered. Only the other wallets of its batch use the processor
 * meanwhile.
 */
export const LONGEST_ANSWER = 120_000
/** Number of wallets that run at once. */
const LOT = 40

/** Starts a node that refuses transactions that it already has, as real nodes do. */
export const startStrictNode = (answers: Answers) => {
  const { chain, sent } = startNode(answers)
  const strict: Chain = async (network, method, params = []) => {
    const [raw] = params
    if (method === 'eth_sendRawTransaction' && sent.some(known => known === raw))
      throw refusal('invalidInput', 'already known')
    return chain(network, method, params)
  }
  return { chain: strict, sent }
}

/** Returns the results of `act` in the order of the items, which are processed in batches. */
export const inLots = async <Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += LOT)
    results.push(...(await Promise.all(items.slice(from, from + LOT).map(act))))
  return results
}

/** Rejects if the task takes longer than a request may. */
export const inTime = async <T>(task: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), LONGEST_ANSWER)
  })
  try {
    return await Promise.race([task, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns the stops to try with this worker: after each step that changes something. The complete run also stops it
 * before each change and after the last step: a response to the page, which is no step, may precede them. Every other
 * stop leaves what one of these leaves.
 */
export const stopsAtChanges = (world: Pick<World, 'steps' | 'changes'>): Stop[] => {
  const changes = world.changes()
  const after = isComplete ? [...new Set([...changes, world.steps()])] : changes
  const before = isComplete ? changes : []
  return [
    ...before.map(step => ({ step, moment: 'before' as const })),
    ...after.map(step => ({ step, moment: 'after' as const })),
  ]
}

/** Number of random courses that the complete run tries. Each run has other ones, from its own seed. */
export const RANDOM_COURSES = 100

/** Returns a value of local storage as JSON, without random request ids. An empty list counts as no value. */
const plainOf = (value: unknown): string | undefined => {
  const text = JSON.stringify(value)?.replace(/"key":"[^"]*"/g, '')
  return text === '[]' ? undefined : text
}

/** Returns the decrypted contents of local storage. */
export const readLocal = async ({ local, session }: World['outside']) => {
  const open = createGate(undefined)
  const trusted = trustedOf({ local: storeBehind(open, local), session: storeBehind(open, session) })
  const names = [...SETTINGS, ...SEALED_FILES]
  const values = await Promise.all(names.map(trusted.get))
  return names.map((name, at) => [name, plainOf(values[at])])
}

/** Returns the stored requests without an outcome. */
export const readWaiting = ({ session }: World['outside']): object[] =>
  JSON.parse(session.get('requests') ?? '[]').filter((kept: object) => !('outcome' in kept))
