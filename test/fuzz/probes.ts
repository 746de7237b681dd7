/** State that is read after a transaction, and the harm that it indicates. */

import { COLLECTIONS, HOLDERS, LOOKALIKE, PERMIT2S, SPENDER, TOKENS, ZERO } from './addresses.ts'
import type { Harm } from './case.ts'
import { encodeCall } from './encode.ts'
import type { Probe } from './world.ts'

/** The contracts that a request concerns. */
export type Contracts = { token: string; items: string; permit2: string }
export const FIRST: Contracts = { token: TOKENS[0] ?? '', items: COLLECTIONS[0] ?? '', permit2: PERMIT2S[0] ?? '' }

/** Token amounts in the smallest unit. No amount above the supply is worse than another. */
export const SUPPLY = 1_000_000n * 10n ** 18n
const smaller = (one: bigint, other: bigint) => (one < other ? one : other)

type Watched = Probe & { harm: string; weigh(word: bigint): bigint }

const asIs = (word: bigint) => word
const ofSupply = (word: bigint) => smaller(word, SUPPLY)
/** Reads the amount from the low bits of the word. */
const ofAllowance = (word: bigint) => ofSupply(BigInt.asUintN(160, word))
const isOne = (wanted: readonly string[]) => (word: bigint) => (wanted.some(one => BigInt(one) === word) ? 1n : 0n)

const watched = (
  harm: string,
  to: string,
  signature: string,
  args: readonly unknown[],
  weigh: Watched['weigh'],
): Watched => ({ to, data: encodeCall(signature, args), harm, weigh })

/** Recipients that indicate harm. Tokens sent to a token contract are lost. */
const BAD = [SPENDER, LOOKALIKE, ZERO]

export type Family = 'token' | 'items' | 'permit2' | 'coins'

const ofToken = ({ token }: Contracts): Watched[] => [
  ...HOLDERS.map(holder => watched('allowed', token, 'allowance(address,address)', [holder, SPENDER], ofSupply)),
  ...[...BAD, token].map(bad => watched('tokens', token, 'balanceOf(address)', [bad], asIs)),
]

const ofItems = ({ items }: Contracts): Watched[] =>
  HOLDERS.flatMap(holder => [
    watched('operators', items, 'isApprovedForAll(address,address)', [holder, SPENDER], asIs),
    watched('items allowed', items, 'getApproved(uint256)', [BigInt(holder)], isOne([SPENDER])),
    watched('items', items, 'ownerOf(uint256)', [BigInt(holder)], isOne(BAD)),
  ]).concat(
    BAD.flatMap(bad => [0n, 1n].map(id => watched('copies', items, 'balanceOf(address,uint256)', [bad, id], asIs))),
  )

const ofPermit2 = ({ token, permit2 }: Contracts): Watched[] => [
  ...HOLDERS.map(holder =>
    watched('permitted', permit2, 'allowance(address,address,address)', [holder, token, SPENDER], ofAllowance),
  ),
  ...BAD.map(bad => watched('tokens', token, 'balanceOf(address)', [bad], asIs)),
]

const ofCoins = (): Watched[] => BAD.map(to => ({ to, data: '0x', harm: 'coins', weigh: asIs }))

/** Returns the probes for a family of requests. */
export const watch = (family: Family, contracts: Contracts): readonly Watched[] => {
  if (family === 'token') return ofToken(contracts)
  if (family === 'items') return ofItems(contracts)
  return family === 'permit2' ? ofPermit2(contracts) : ofCoins()
}

/** Returns the combined harm to all holders. */
export const harmSeen = (watching: readonly Watched[], words: readonly bigint[]): Harm => {
  const harm: Record<string, bigint> = {}
  for (const [at, { harm: name, weigh }] of watching.entries()) harm[name] = (harm[name] ?? 0n) + weigh(words[at] ?? 0n)
  return harm
}
