/**
 * Contracts that pay the caller in a simulation, but take tokens or keep coins in a block. The loss is measured with
 * mined transactions, with the gas and the fees that the wallet would sign.
 */
import { oneIn, pick, type Random } from '../support/random.ts'
import { BALANCE, OWNERS, TOKENS, TRAP_COINS, TRAPS } from './addresses.ts'
import type { Case, Harm, Kind, Level, Mutation, Subject } from './case.ts'
import { encodeCall } from './encode.ts'
import { changesFor, FUNCTIONS, payingRequest } from './hostile-calls.ts'
import { SIGNS, type Sign } from './signs.ts'
import { has, randomOf } from './spellings.ts'

/** `value` is in wei. Without coins, the loss is everything that the contract's old allowances permit. */
type Bait = { shown: Sign['shown']; value: bigint; least: Level }

const A_TENTH = BALANCE / 10n
const MOST = (BALANCE * 98n) / 100n

const BAITS: ReadonlyMap<string, Bait> = new Map([
  // The first run shows a loss that the request does not explain.
  ['tokens, shown by the first run', { shown: 'first', value: 0n, least: 'danger' }],
  // The second run differs from the first, which is a finding of its own.
  ['tokens, shown by the second run', { shown: 'second', value: 0n, least: 'danger' }],
  // No run shows a loss. The only finding is that the contract is not identified.
  ['tokens, shown by neither run', { shown: 'neither', value: 0n, least: 'caution' }],
  // Both runs show the same payment of a part of the balance.
  ['coins, shown by the first run', { shown: 'first', value: A_TENTH, least: 'caution' }],
  ['coins, shown by the second run', { shown: 'second', value: A_TENTH, least: 'danger' }],
  // The reward that a simulation shows does not reduce the payment in the review.
  ['most coins, shown by neither run', { shown: 'neither', value: MOST, least: 'danger' }],
])

const baitOf = (name: string): Bait => {
  const found = BAITS.get(name)
  if (!found) throw new Error(`no bait ${name}`)
  return found
}

const signFor = ({ shown }: Bait, mutations: readonly Mutation[]): { sign: Sign; trap: string } => {
  const signs = [...SIGNS.entries()].filter(([, sign]) => sign.shown === shown)
  const random = randomOf(mutations, 'another sign')
  const [index, sign] = random ? pick(random, signs) : (signs[0] ?? [0, undefined])
  const trap = TRAPS[index]
  if (!sign || trap === undefined) throw new Error(`no sign that is shown by ${shown}`)
  return { sign, trap }
}

/** Derives the loss from the contract's coins and its balance of each token. */
const lossOf = ([coins = 0n, ...tokens]: readonly bigint[], isOfCoins: boolean): Harm =>
  isOfCoins
    ? { coins: coins > TRAP_COINS ? coins - TRAP_COINS : 0n }
    : { tokens: tokens.reduce((sum, word) => sum + word, 0n) }

const build = ({ fixture, mutations }: Case): Subject => {
  const bait = baitOf(fixture)
  const { sign, trap } = signFor(bait, mutations)
  const from = has(mutations, 'another account') ? OWNERS[1] : OWNERS[0]
  const balances = TOKENS.slice(0, 2).map(to => ({ to, data: encodeCall('balanceOf(address)', [trap]) }))
  const probes = [{ to: trap, data: '0x' }, ...balances]
  return {
    request: payingRequest([{ from, contract: trap, value: bait.value }], mutations),
    sceneOf: ({ sent }) => ({ actor: from, acts: sent, probes, mined: sign.mined }),
    harmOf: words => lossOf(words, bait.value > 0n),
  }
}

/**
 * Picks mutations. A batch is not traced, because only its first call would be. Without calldata, or with a token
 * function, a call needs no caution if no run shows a loss. The fixture "tokens, shown by neither run" therefore uses
 * neither mutation.
 */
const mutationsFor = (fixture: string, random: Random): readonly Mutation[] => {
  const { shown, value } = baitOf(fixture)
  const names = changesFor(
    random,
    shown === 'neither' && value === 0n ? ['unknown function'] : [...FUNCTIONS, 'no calldata'],
  )
  if (!oneIn(random, 4)) names.push('another sign')
  if (oneIn(random, 4)) names.push('another account')
  if (oneIn(random, 4) && !names.includes('batch of calls')) names.push('only traced')
  return names.map(name => ({ name, seed: random(2 ** 31) }))
}

export const traps: Kind = {
  name: 'trap',
  fixtures: [...BAITS.keys()],
  leastOf: fixture => baitOf(fixture).least,
  mutationsFor,
  build,
}
