/** Transactions with a far too high gas price, and with other spellings of the same price. */
import { pick, type Random, randomFrom, shuffled } from '../support/random.ts'
import { FRIEND, OWNERS, TOKENS } from './addresses.ts'
import type { Case, Kind, Mutation, Subject } from './case.ts'
import { encodeCall } from './encode.ts'

type Offer = Readonly<Record<string, bigint>>

const ETHER = 10n ** 18n
const GAS = 100_000n
const GWEI = 10n ** 9n

/** Fees that a site offers. All except the last cost more than a tenth of the balance. */
const OFFERS: ReadonlyMap<string, Offer> = new Map([
  ['tip of all', { gas: GAS, maxFeePerGas: (9_000n * ETHER) / GAS, maxPriorityFeePerGas: (9_000n * ETHER) / GAS }],
  ['gas price of all', { gas: GAS, gasPrice: (9_000n * ETHER) / GAS }],
  ['most of all', { gas: GAS, maxFeePerGas: (9_000n * ETHER) / GAS, maxPriorityFeePerGas: GWEI }],
  ['gas of all', { gas: 30_000_000n, gasPrice: (9_000n * ETHER) / 30_000_000n }],
  ['tip of a hundred times the price', { gas: GAS, maxFeePerGas: 500n * GWEI, maxPriorityFeePerGas: 500n * GWEI }],
])

const offerOf = (name: string): Offer => {
  const found = OFFERS.get(name)
  if (!found) throw new Error(`no offer ${name}`)
  return found
}

const SPELLINGS: Readonly<Record<string, (hex: string) => string>> = {
  'leading zeros': hex => `0x00${hex.slice(2)}`,
  'letters in capitals': hex => `0x${hex.slice(2).toUpperCase()}`,
}

const build = ({ fixture, mutations }: Case): Subject => {
  const has = (wanted: string) => mutations.some(({ name }) => name === wanted)
  const randomOf = (wanted: string) => randomFrom(mutations.find(({ name }) => name === wanted)?.seed ?? 0)
  const spell = (value: bigint) =>
    mutations.reduce((hex, { name }) => SPELLINGS[name]?.(hex) ?? hex, `0x${value.toString(16)}`)
  const price = has('price and one') ? 1n : 0n
  const offer = Object.entries(offerOf(fixture)).map(([name, value]): [string, string] => [
    has('gasLimit for gas') && name === 'gas' ? 'gasLimit' : name,
    spell(name === 'gas' ? value : value + price),
  ])
  const [token = ''] = TOKENS
  const called = { to: token, data: encodeCall('approve(address,uint256)', [FRIEND, 1n]) }
  const members: [string, unknown][] = [
    ['from', OWNERS[0]],
    ...Object.entries(has('call of a token') ? called : { to: FRIEND }),
    ...offer,
    ...(has('with a value') ? [['value', spell(1n)] as [string, string]] : []),
    ...(has('with an access list') ? [['accessList', []] as [string, unknown]] : []),
    ...(has('unknown members') ? [['fee', '0x1'] as [string, string]] : []),
  ]
  const ordered = has('members in another order') ? shuffled(randomOf('members in another order'), members) : members
  const method = has('another prefix') ? 'chain_signTransaction' : 'eth_signTransaction'
  return {
    request: { method: has('sent') ? method.replace('sign', 'send') : method, params: [Object.fromEntries(ordered)] },
    sceneOf: () => null,
    harmOf: (_, { fee }) => ({ fee }),
  }
}

const NAMES = [
  ...Object.keys(SPELLINGS),
  'price and one',
  'gasLimit for gas',
  'call of a token',
  'with a value',
  'with an access list',
  'unknown members',
  'members in another order',
  'another prefix',
  'sent',
] as const

const mutationsFor = (_: string, random: Random): readonly Mutation[] => {
  const names = Array.from({ length: 1 + random(4) }, () => pick(random, NAMES))
  return [...new Set(names)].map(name => ({ name, seed: random(2 ** 31) }))
}

export const fees: Kind = {
  name: 'fee',
  fixtures: [...OFFERS.keys()],
  leastOf: () => 'danger',
  mutationsFor,
  build,
}
