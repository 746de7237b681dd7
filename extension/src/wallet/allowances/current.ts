/** Reads the current allowances from their contracts. */
import { type Address, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { encodeQuantity, isHex } from '@heliograph/shared/evm/hex'
import { type AllowanceView, PERMIT2, type TokenView } from '../../messages.ts'
import type { Outcome } from '../networks/answers.ts'
import { momentOf, readBlockTimes } from '../networks/blocks.ts'
import { askAll, type Question } from '../networks/node.ts'
import { boundedAmount } from '../review/amounts.ts'
import type { Asset } from '../tokens/assets.ts'
import { type AccountAtNode, readBalances, readTokenMetadata } from '../tokens/token-contracts.ts'
import { plainDecimals, plainSymbol } from '../tokens/tokens.ts'
import type { Given } from './given.ts'

/** `allowance(address,address)`, `isApprovedForAll(address,address)`, `getApproved(uint256)`, `ownerOf(uint256)` */
const ALLOWANCE = '0xdd62ed3e'
const IS_APPROVED_FOR_ALL = '0xe985e9c5'
const GET_APPROVED = '0x081812fc'
const OWNER_OF = '0x6352211e'
/** Permit2's `allowance(address,address,address)` */
const PERMIT2_ALLOWANCE = '0x927da105'

const WORD = 64
const WORDS = /.{64}/g
const ADDRESS_BITS = 160n
const word = (value: string): string => BigInt(value).toString(16).padStart(WORD, '0')
const callOf = (to: string, selector: string, ...values: readonly string[]): Question => ({
  method: 'eth_call',
  params: [{ to, data: `${selector}${values.map(word).join('')}` }, 'latest'],
})

const questionsOf = (account: Address, { kind, token, spender, item }: Given): Question[] => {
  if (kind === 'permit2') return [callOf(PERMIT2, PERMIT2_ALLOWANCE, account, token, spender)]
  if (kind === 'collection') return [callOf(token, IS_APPROVED_FOR_ALL, account, spender)]
  if (kind === 'item') return [callOf(token, GET_APPROVED, String(item)), callOf(token, OWNER_OF, String(item))]
  return [callOf(token, ALLOWANCE, account, spender)]
}

/** Splits a result into words. Empty if it does not have exactly `count` words. */
const wordsOf = (outcome: Outcome | undefined, count: number): bigint[] => {
  const hex = outcome && 'result' in outcome && isHex(outcome.result) ? outcome.result : ''
  return hex.length === 2 + WORD * count ? (hex.slice(2).match(WORDS) ?? []).map(digits => BigInt(`0x${digits}`)) : []
}

/** A current allowance, without its token's metadata. */
export type Standing = Pick<AllowanceView, 'kind' | 'amount' | 'item' | 'until'> & {
  token: Address
  spender: Address
  block: bigint
}

/** Decodes a current allowance. Returns null if there is none. `now` is in ms. */
const standingOf = (given: Given, account: Address, answers: readonly Outcome[], now: number): Standing | null => {
  const { kind, token, spender, item, block } = given
  const shared = { kind, token, spender, item: item === null ? null : String(item), amount: null, until: null, block }
  if (kind === 'collection') return wordsOf(answers[0], 1)[0] === 1n ? shared : null
  if (kind === 'item') {
    const [[approved = 0n], [owner = 0n]] = [wordsOf(answers[0], 1), wordsOf(answers[1], 1)]
    if (approved === 0n || approved >> ADDRESS_BITS !== 0n || owner !== BigInt(account)) return null
    return { ...shared, spender: toAddress(`0x${approved.toString(16).padStart(40, '0')}`), amount: '1' }
  }
  const [value = 0n, expiration] = wordsOf(answers[0], kind === 'permit2' ? 3 : 1)
  if (value === 0n) return null
  const until = expiration === undefined ? null : momentOf(expiration)
  if (until !== null && until <= now) return null
  return { ...shared, amount: boundedAmount(kind === 'permit2' ? 'uint160' : 'uint256', String(value)), until }
}

/**
 * Reads the current amount of each logged allowance and drops those that no longer exist. `now` is in ms. Throws 4901.
 */
export const readStanding = async (place: AccountAtNode, all: readonly Given[], now: number): Promise<Standing[]> => {
  const asked = all.map(given => questionsOf(place.account, given))
  const answers = await askAll(place.chain, place.network, asked.flat())
  let at = 0
  return all.flatMap((given, index) => {
    const count = asked[index]?.length ?? 0
    at += count
    return standingOf(given, place.account, answers.slice(at - count, at), now) ?? []
  })
}

const distinct = <T>(all: readonly T[]): T[] => [...new Set(all)]

const readTokenViews = async (
  place: AccountAtNode,
  tokens: readonly Address[],
  listed: readonly Asset[],
): Promise<Map<Address, TokenView>> => {
  const [facts, held] = await Promise.all([
    readTokenMetadata(
      place,
      tokens.map(address => ({ address, kind: 'erc20' })),
    ),
    readBalances(
      place,
      tokens.map(address => ({ address, kind: 'erc20' as const, ids: [] })),
    ),
  ])
  return new Map(
    tokens.map((address, at) => {
      const own = listed.find(asset => sameAddress(asset.address, address))
      const { symbol, decimals } = own ?? facts[at] ?? { symbol: null, decimals: null }
      return [
        address,
        {
          address,
          symbol: plainSymbol(symbol),
          decimals: plainDecimals(decimals),
          balance: held[at] ?? null,
          listed: own !== undefined,
        },
      ]
    }),
  )
}

/** Returns views of all allowances, newest first. `listed` are the user's tokens on the network. Throws 4901. */
export const readAllowances = async (
  place: AccountAtNode,
  standing: readonly Standing[],
  listed: readonly Asset[],
): Promise<AllowanceView[]> => {
  const [times, tokens] = await Promise.all([
    readBlockTimes(place, distinct(standing.map(({ block }) => block))),
    readTokenViews(place, distinct(standing.map(({ token }) => token)), listed),
  ])
  return standing
    .toSorted((one, other) => Number(other.block - one.block))
    .flatMap(({ token, block, ...shared }) => {
      const view = tokens.get(token)
      return view ? [{ ...shared, token: view, block: encodeQuantity(block), since: times.get(block) ?? null }] : []
    })
}
