/** Coins sent to a contract that keeps them, whichever function is called. */
import { oneIn, pick, type Random, randomFrom } from '../support/random.ts'
import { BALANCE, KEEPERS, OWNERS } from './addresses.ts'
import type { Case, Kind, Level, Mutation, Subject } from './case.ts'
import { changesFor, FUNCTIONS, payingRequest } from './hostile-calls.ts'
import { has, seedsOf } from './spellings.ts'

const ETHER = 10n ** 18n
/** Amount in wei that stays for fees: more than the fees of a batch. */
const FOR_FEES = ETHER / 10n

/** The amounts that are sent, as shares of the balance, each with the lowest level that the wallet must show. */
const SHARES: ReadonlyMap<string, readonly [amount: bigint, least: Level]> = new Map([
  ['1 wei', [1n, 'caution']],
  ['a tenth', [BALANCE / 10n, 'caution']],
  ['89 %', [(BALANCE * 89n) / 100n, 'caution']],
  ['90 %', [(BALANCE * 90n) / 100n, 'danger']],
  ['98 %', [(BALANCE * 98n) / 100n, 'danger']],
  ['all but the fee', [BALANCE - FOR_FEES, 'danger']],
])

const shareOf = (name: string) => {
  const found = SHARES.get(name)
  if (!found) throw new Error(`no share ${name}`)
  return found
}

const amountFor = (amount: bigint, mutations: readonly Mutation[]): bigint => {
  const [other] = seedsOf(mutations, 'another amount')
  if (!other || amount >= BALANCE - FOR_FEES) return amount
  return amount + pick(randomFrom(other.seed), [1n, 2n, ETHER])
}

/** Splits the amount into up to four parts, for both contracts. */
const partsOf = (amount: bigint, mutations: readonly Mutation[]): readonly [bigint, ...bigint[]] => {
  const [several] = seedsOf(mutations, 'in parts')
  const count = several && amount > 4n ? 2n + BigInt(randomFrom(several.seed)(3)) : 1n
  const part = amount / count
  return [amount - part * (count - 1n), ...Array<bigint>(Number(count) - 1).fill(part)]
}

const build = ({ fixture, mutations }: Case): Subject => {
  const [share] = shareOf(fixture)
  const from = has(mutations, 'another account') ? OWNERS[1] : OWNERS[0]
  const first = has(mutations, 'another contract') ? 1 : 0
  const [part, ...others] = partsOf(amountFor(share, mutations), mutations)
  const paidTo = (value: bigint, at: number) => ({ from, contract: KEEPERS[(first + at) % 2] ?? '', value })
  return {
    request: payingRequest([paidTo(part, 0), ...others.map((value, at) => paidTo(value, at + 1))], mutations),
    sceneOf: ({ sent }) => ({ actor: from, acts: sent, probes: KEEPERS.map(to => ({ to, data: '0x' })) }),
    harmOf: words => ({ coins: words.reduce((sum, word) => sum + word, 0n) }),
  }
}

const OWN = [
  'in parts',
  'another contract',
  'another account',
  'another amount',
  'only traced',
  'not simulated',
] as const

const mutationsFor = (_fixture: string, random: Random): readonly Mutation[] => {
  const names = changesFor(random, [...FUNCTIONS, 'no calldata'])
  if (oneIn(random, 2)) names.push(pick(random, OWN))
  if (oneIn(random, 5)) names.push(pick(random, ['through multiSend', 'through Multicall3']))
  return names.map(name => ({ name, seed: random(2 ** 31) }))
}

export const payments: Kind = {
  name: 'payment',
  fixtures: [...SHARES.keys()],
  leastOf: fixture => shareOf(fixture)[1],
  mutationsFor,
  build,
}
