/** Calls of hostile contracts with any function, and ways to send coins to them. */
import { oneIn, pick, type Random, randomFrom } from '../support/random.ts'
import { FRIEND, KNOWN_CHAIN, MULTI_SEND, MULTICALL3, TOKENS } from './addresses.ts'
import { knownCall, unknownCall } from './arguments.ts'
import type { Mutation, Request } from './case.ts'
import { encodeCall, IRREGULARITIES, type Irregular, type Irregularity } from './encode.ts'
import { packed } from './layers.ts'
import { bytesMutated, has, randomOf, requestOf, SPELLINGS } from './spellings.ts'
import type { Sent } from './world.ts'

/** Kinds of called functions. The plain call is `claim()`. */
export const FUNCTIONS = ['known function', 'known function', 'known function', 'unknown function'] as const
const DATA_CHANGES = [...IRREGULARITIES, 'any byte'] as const

const irregularOf = (mutations: readonly Mutation[]): Irregular =>
  new Map(
    mutations.flatMap(({ name, seed }): [Irregularity, Random][] => {
      const known = IRREGULARITIES.find(irregularity => irregularity === name)
      return known ? [[known, randomFrom(seed)]] : []
    }),
  )

type Paid = { from: string; contract: string; value: bigint }

const dataOf = ({ from, contract, value }: Paid, mutations: readonly Mutation[]): string => {
  if (has(mutations, 'no calldata')) return '0x'
  const called = { account: from, contract, amount: value }
  const irregular = irregularOf(mutations)
  const known = randomOf(mutations, 'known function')
  if (known) return knownCall(called, known, irregular)
  const unknown = randomOf(mutations, 'unknown function')
  return unknown ? unknownCall(called, unknown, irregular) : encodeCall('claim()', [], irregular)
}

/** A harmless call. */
export const HARMLESS: Sent = {
  to: TOKENS[0] ?? '',
  value: 0n,
  data: encodeCall('approve(address,uint256)', [FRIEND, 0n]),
}

const forwarded = (sent: Sent, mutations: readonly Mutation[]): Sent => {
  const { to, value, data } = sent
  if (has(mutations, 'through Multicall3')) {
    const signature = 'aggregate3Value((address,bool,uint256,bytes)[])'
    return { to: MULTICALL3, value, data: encodeCall(signature, [[[to, true, value, data]]]) }
  }
  if (!has(mutations, 'through multiSend')) return sent
  return { to: MULTI_SEND, value, data: encodeCall('multiSend(bytes)', [packed(sent)]) }
}

/** Returns a request that sends coins to the contracts, in one call to each. */
export const payingRequest = (paid: readonly [Paid, ...Paid[]], mutations: readonly Mutation[]): Request => {
  const toSent = (one: Paid, at: number): Sent => {
    const own = mutations.map(({ name, seed }) => ({ name, seed: seed + at }))
    const data = bytesMutated(dataOf(one, own), own)
    return forwarded({ to: one.contract, value: one.value, data }, mutations)
  }
  const [first, ...others] = paid
  const chainId = has(mutations, 'through Multicall3') ? { chainId: KNOWN_CHAIN } : {}
  const sent: [Sent, ...Sent[]] = [toSent(first, 0), ...others.map((one, at) => toSent(one, at + 1))]
  const request = requestOf(sent, { from: first.from, ...chainId }, mutations, HARMLESS)
  if (has(mutations, 'not simulated')) return request
  return { ...request, node: has(mutations, 'only traced') ? 'trace' : 'simulate' }
}

/** Returns names of mutations of the called function, and of the request's spelling. */
export const changesFor = (random: Random, calls: readonly string[]): string[] => {
  const names: string[] = []
  if (!oneIn(random, 4)) names.push(pick(random, calls))
  const hasData = !names.includes('no calldata')
  if (hasData) for (let left = random(3); left > 0; left--) names.push(pick(random, DATA_CHANGES))
  for (let left = random(3); left > 0 || names.length === 0; left--) names.push(pick(random, SPELLINGS))
  return names
}
