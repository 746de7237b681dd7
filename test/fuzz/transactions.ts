/** Transactions and batches of calls, and changes by an attacker that keep their effect. */

import { oneIn, pick, type Random, randomFrom } from '../support/random.ts'
import { COLLECTIONS, FRIEND, OWNERS, PERMIT2S, TOKENS } from './addresses.ts'
import { AMOUNTS, decoyOf, TRANSACTIONS, type Transaction } from './calls.ts'
import type { Case, Kind, Mutation, Subject } from './case.ts'
import { encodeCall, IRREGULARITIES, type Irregular, type Irregularity, REGULAR } from './encode.ts'
import { holderOf, LAYERS, layersFor } from './layers.ts'
import { type Contracts, FIRST, harmSeen, watch } from './probes.ts'
import { bytesMutated, has, requestOf, SPELLINGS, seedsOf } from './spellings.ts'
import type { Sent } from './world.ts'

/** Maximum number of layers around a call. MANY is more than the review follows. */
const FEW = 3
const MANY = 20
const MOST = 2n ** 256n - 1n

const isIrregularity = (name: string): name is Irregularity => IRREGULARITIES.some(known => known === name)

/** Returns the irregularities of each level. The innermost call has level 0. */
const irregularAt = (mutations: readonly Mutation[], levels: number): Irregular[] => {
  const all = Array.from({ length: levels }, () => new Map<Irregularity, Random>())
  for (const { name, seed } of mutations) {
    if (!isIrregularity(name)) continue
    const random = randomFrom(seed)
    // Only the outermost call can lose its trailing zeros, because the length of an inner call's data is encoded.
    const level = name === 'cut zeros' ? levels - 1 : random(levels)
    all[level]?.set(name, random)
  }
  return all
}

const contractsFor = (mutations: readonly Mutation[]): Contracts => {
  const [other] = seedsOf(mutations, 'another contract')
  if (!other) return FIRST
  const random = randomFrom(other.seed)
  return { token: pick(random, TOKENS), items: pick(random, COLLECTIONS), permit2: pick(random, PERMIT2S) }
}

/** Replaces an amount by the next higher one, or by an amount next to some limit. */
const amountFor = (amount: bigint, mutations: readonly Mutation[]): bigint => {
  const [other] = seedsOf(mutations, 'another amount')
  if (!other || amount === 0n) return amount
  const random = randomFrom(other.seed)
  if (oneIn(random, 3) && amount < MOST) return amount + 1n
  return pick(random, [...AMOUNTS.filter(candidate => candidate >= amount), amount])
}

const render = (transaction: Transaction, mutations: readonly Mutation[]): { sent: Sent; from: string } => {
  const contracts = contractsFor(mutations)
  const from = has(mutations, 'another account') ? OWNERS[1] : OWNERS[0]
  const layers = mutations.filter(({ name }) => Object.hasOwn(LAYERS, name))
  const holder = holderOf(
    layers.map(({ name }) => name),
    from,
  )
  const irregular = irregularAt(mutations, layers.length + 1)
  const { call, family, amount } = transaction
  const inner = call({ ...contracts, holder }, amountFor(amount, mutations))
  const encoded = (one: typeof inner, level: number): Sent => ({
    to: one.to,
    value: one.value,
    data: one.signature === '' ? '0x' : encodeCall(one.signature, one.args, irregular[level] ?? REGULAR),
  })
  const decoy = { ...decoyOf(family, contracts), value: 0n }
  let sent = encoded(inner, 0)
  for (const [at, { name, seed }] of layers.entries()) {
    const wrapped = LAYERS[name]?.(sent, randomFrom(seed), decoy)
    if (wrapped) sent = encoded(wrapped, at + 1)
  }
  return { sent, from }
}

const fixtureOf = (name: string): Transaction => {
  const found = TRANSACTIONS.get(name)
  if (!found) throw new Error(`no transaction ${name}`)
  return found
}

const build = ({ fixture, mutations }: Case): Subject => {
  const transaction = fixtureOf(fixture)
  const { sent, from } = render(transaction, mutations)
  const contracts = contractsFor(mutations)
  const watching = watch(transaction.family, contracts)
  const decoy = { to: FRIEND, value: 0n, data: '0x' }
  const spelled = { ...sent, data: bytesMutated(sent.data, mutations) }
  return {
    request: requestOf([spelled], { from }, mutations, decoy),
    sceneOf: shown => ({ actor: from, acts: shown.sent, probes: watching.map(({ to, data }) => ({ to, data })) }),
    harmOf: words => harmSeen(watching, words),
  }
}

const CHANGES = [...SPELLINGS, 'another account', 'another contract', 'another amount'] as const

/** True if the call contains the owner's signature, so that only the owner's own tokens are at stake. */
const isSignedInside = (fixture: string) => /^(?:Permit2 )?permit/.test(fixture)

const mutationsFor = (fixture: string, random: Random): readonly Mutation[] => {
  const hasData = fixtureOf(fixture).family !== 'coins'
  const names: string[] = []
  if (oneIn(random, 2)) names.push(...layersFor(random, oneIn(random, 6) ? MANY : FEW, hasData))
  if (hasData) for (let left = random(4); left > 0; left--) names.push(pick(random, IRREGULARITIES))
  for (let left = random(3); left > 0 || names.length === 0; left--) names.push(pick(random, CHANGES))
  if (hasData && oneIn(random, 12)) names.push('any byte')
  const isOwners = names.some(name => Object.hasOwn(LAYERS, name) && !name.startsWith('multicall'))
  return names
    .filter(name => name !== 'another account' || !(isOwners || isSignedInside(fixture)))
    .map(name => ({ name, seed: random(2 ** 31) }))
}

export const transactions: Kind = {
  name: 'transaction',
  fixtures: [...TRANSACTIONS.keys()],
  leastOf: fixture => fixtureOf(fixture).least,
  mutationsFor,
  build,
}
