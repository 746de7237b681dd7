/** Spellings of transaction requests that do not change their effect. */
import { oneIn, type Random, randomFrom, shuffled } from '../support/random.ts'
import type { Mutation, Request } from './case.ts'
import { CHAIN_ID } from './permits.ts'
import type { Sent } from './world.ts'

const OTHER_CHAIN = 1

export const seedsOf = (mutations: readonly Mutation[], name: string): Mutation[] =>
  mutations.filter(mutation => mutation.name === name)
export const has = (mutations: readonly Mutation[], name: string): boolean => seedsOf(mutations, name).length > 0
/** Returns random numbers from the seed of the first mutation with this name. */
export const randomOf = (mutations: readonly Mutation[], name: string): Random | undefined => {
  const [found] = seedsOf(mutations, name)
  return found && randomFrom(found.seed)
}

/** Spellings for transactions of any effect. `another chain` needs a contract that does not depend on the chain. */
export const SPELLINGS = [
  'letters in capitals',
  'leading zeros',
  'input for data',
  'unknown members',
  'named gas',
  'members in another order',
  'only signed',
  'another prefix',
  'batch of calls',
  'another chain',
] as const

export const bytesMutated = (data: string, mutations: readonly Mutation[]): string =>
  seedsOf(mutations, 'any byte').reduce((text, { seed }) => {
    const random = randomFrom(seed)
    const at = 10 + 2 * random(Math.max(1, (text.length - 10) / 2))
    const byte = random(256).toString(16).padStart(2, '0')
    return text.length <= 10 ? text : text.slice(0, at) + byte + text.slice(at + (oneIn(random, 4) ? 0 : 2))
  }, data)

/** The sender and the page's chain. */
type Place = { from: string; chainId?: number }

/** Returns the transaction object, in the spelling that the mutations select. */
const objectOf = (
  { to, value, data }: Sent,
  { from, chainId = CHAIN_ID }: Place,
  mutations: readonly Mutation[],
): Record<string, unknown> => {
  const upper = has(mutations, 'letters in capitals')
  const cased = (hex: string) => (upper ? `0x${hex.slice(2).toUpperCase()}` : hex.toLowerCase())
  const amount = `0x${has(mutations, 'leading zeros') ? '00' : ''}${value.toString(16)}`
  const members: [string, unknown][] = [
    ['from', cased(from)],
    ['to', cased(to)],
    ...(data === '0x'
      ? []
      : ([[has(mutations, 'input for data') ? 'input' : 'data', cased(data)]] as [string, unknown][])),
    ...(value > 0n || has(mutations, 'leading zeros') ? ([['value', amount]] as [string, unknown][]) : []),
    ...(has(mutations, 'unknown members')
      ? ([
          ['simulation', 'safe'],
          ['risk', 0],
        ] as [string, unknown][])
      : []),
    ...(has(mutations, 'named gas')
      ? ([
          ['gas', '0x1e8480'],
          ['chainId', `0x${chainId.toString(16)}`],
        ] as [string, unknown][])
      : []),
  ]
  const order = randomOf(mutations, 'members in another order')
  return Object.fromEntries(order ? shuffled(order, members) : members)
}

const callOf = ({ to, data, input, value }: Record<string, unknown>) => ({
  to,
  ...((data ?? input) !== undefined && { data: data ?? input }),
  ...(value !== undefined && { value }),
})

/** Returns a batch with the calls among up to four decoys. */
const batchOf = (
  all: readonly Sent[],
  { from, chainId = CHAIN_ID }: Place,
  mutations: readonly Mutation[],
  decoy: Sent,
): Request => {
  const random = randomOf(mutations, 'batch of calls') ?? (() => 0)
  const decoys = () => Array.from({ length: random(3) }, () => ({ to: decoy.to, data: decoy.data }))
  const objects = all.map(sent => objectOf(sent, { from, chainId }, mutations))
  const calls = [...decoys(), ...objects.map(callOf), ...decoys()]
  const asked = { version: '2.0.0', chainId: `0x${chainId.toString(16)}`, from: objects[0]?.from }
  const request = { method: 'wallet_sendCalls', params: [{ ...asked, atomicRequired: false, calls }] }
  return chainId === CHAIN_ID ? request : { ...request, chainId }
}

/** Returns a request for one call, or for several calls as a batch. `decoy` is a harmless call. */
export const requestOf = (
  [first, ...others]: readonly [Sent, ...Sent[]],
  place: Place,
  mutations: readonly Mutation[],
  decoy: Sent,
): Request => {
  if (others.length > 0 || has(mutations, 'batch of calls')) return batchOf([first, ...others], place, mutations, decoy)
  const method = has(mutations, 'only signed') ? 'eth_signTransaction' : 'eth_sendTransaction'
  const prefixed = has(mutations, 'another prefix') ? method.replace('eth_', 'chain_') : method
  const isElsewhere = has(mutations, 'another chain') && !has(mutations, 'named gas')
  const chainId = isElsewhere ? OTHER_CHAIN : (place.chainId ?? CHAIN_ID)
  return {
    method: chainId === CHAIN_ID ? prefixed : method,
    params: [objectOf(first, place, mutations)],
    ...(chainId !== CHAIN_ID && { chainId }),
  }
}
