/**
 * Reads metadata, balances and allowances from token contracts in one JSON-RPC batch:
 * https://eips.ethereum.org/EIPS/eip-20, https://eips.ethereum.org/EIPS/eip-721,
 * https://eips.ethereum.org/EIPS/eip-1155, https://eips.ethereum.org/EIPS/eip-165
 */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { decodeArguments } from '@heliograph/shared/evm/abi-decode'
import type { Address } from '@heliograph/shared/evm/address'
import { decodeData, type Hex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { AssetKind, ItemView, TokenView } from '../../messages.ts'
import type { Outcome } from '../networks/answers.ts'
import { readTogether } from '../networks/multicall.ts'
import { askAll, type Chain, type Question } from '../networks/node.ts'
import { tokenText } from './token-text.ts'

/** An account on a network, and the client for its node. */
export type AccountAtNode = { chain: Chain; network: Network; account: Address }

/**
 * A token or collection to read. `ids` are known ids of a collection's items. In an ERC-1155 collection, only the first
 * of them are counted.
 */
export type Holder = { address: Address; kind: AssetKind; ids: readonly string[] }

/** Members are null if the contract did not answer, or if its answer does not conform to the standard. */
export type TokenMetadata = { symbol: string | null; decimals: number | null }

const NAME = '0x06fdde03'
const SYMBOL = '0x95d89b41'
const DECIMALS = '0x313ce567'
const BALANCE_OF = '0x70a08231'
const TOTAL_SUPPLY = '0x18160ddd'
const ALLOWANCE = '0xdd62ed3e'
const BALANCE_OF_ITEM = '0x00fdd58e'
const SUPPORTS = '0x01ffc9a7'
const OWNER_OF = '0x6352211e'
const TOKEN_OF_OWNER = '0x2f745c59'
const TOKEN_URI = '0xc87b56dd'
const URI = '0x0e89341c'
const INTERFACES = { erc721: '80ac58cd', erc1155: 'd9b67a26' } as const

/** Results are decoded like function arguments. */
const { parameters: text } = parseFunction('answer(string value)')
const { parameters: number } = parseFunction('answer(uint256 value)')
const { parameters: small } = parseFunction('answer(uint8 value)')

const WORD = 64
/** Maximum number of ids queried to count the items of an ERC-1155 collection. */
const MOST_COUNTED = 10
const wordOf = (digits: string): string => digits.toLowerCase().padStart(WORD, '0')
const idWord = (id: string): string => wordOf(BigInt(id).toString(16))
const callOf = (to: string, data: string): Question => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })

const decodeAs = (parameters: typeof text, outcome: Outcome | undefined): string | null => {
  if (!outcome || 'error' in outcome) return null
  try {
    return String(decodeArguments(decodeData(outcome.result), parameters)[0]?.value)
  } catch {
    return null
  }
}

const textIn = (outcome: Outcome | undefined): string | null =>
  !outcome || 'error' in outcome ? null : tokenText(outcome.result)

const questionOf = ({ to, data }: { to: string; data: string }): Question => callOf(to, data)

/**
 * `balanceCall` reads an account's balance of a token. `balanceIn` decodes the result; null if the result has no
 * balance.
 */
export const balanceCall = (token: Address, account: Address) => ({
  to: token,
  data: `${BALANCE_OF}${wordOf(account.slice(2))}`,
})
export const balanceIn = (outcome: Outcome | undefined): string | null => decodeAs(number, outcome)

/** Builds the call for an ERC-721 item's owner, or for the account's balance of an ERC-1155 id. */
const itemCallOf = (account: Address, { address, kind }: Pick<Holder, 'address' | 'kind'>, id: string) => ({
  to: address,
  data: kind === 'erc721' ? `${OWNER_OF}${idWord(id)}` : `${BALANCE_OF_ITEM}${wordOf(account.slice(2))}${idWord(id)}`,
})

const questionsOf = (account: Address, { address, kind, ids }: Holder): Question[] => {
  if (kind !== 'erc1155') return [questionOf(balanceCall(address, account))]
  const counted = ids.slice(0, MOST_COUNTED)
  return counted.map(id => itemCallOf(account, { address, kind }, id)).map(questionOf)
}

/** Decodes a balance: token units, or a collection's number of items. Null if the contract did not answer. */
const heldOf = (kind: AssetKind, answers: readonly Outcome[]): string | null => {
  const amounts = answers.map(answer => decodeAs(number, answer))
  if (kind !== 'erc1155') return amounts[0] ?? null
  return amounts.every(amount => amount === null)
    ? null
    : String(amounts.filter(amount => amount !== null && amount !== '0').length)
}

/** Reads the account's balances in order, as decimal strings. Throws 4901. */
export const readBalances = async (
  { chain, network, account }: AccountAtNode,
  holders: readonly Holder[],
): Promise<readonly (string | null)[]> => {
  const asked = holders.map(holder => questionsOf(account, holder))
  const answers = await askAll(chain, network, asked.flat())
  let at = 0
  return holders.map(({ kind }, index) => {
    const count = asked[index]?.length ?? 0
    at += count
    return heldOf(kind, answers.slice(at - count, at))
  })
}

/** Decodes how many of an item the account has. */
const amountOf = (account: Address, kind: AssetKind, outcome: Outcome): string => {
  const answer = decodeAs(number, outcome)
  if (kind === 'erc1155') return answer ?? '0'
  return answer !== null && BigInt(answer) === BigInt(account) ? '1' : '0'
}

/** Reads which of each collection's known items the account holds, in order. Throws 4901. */
export const readItems = async (
  { chain, network, account }: AccountAtNode,
  collections: readonly Holder[],
): Promise<readonly (readonly ItemView[])[]> => {
  const asked = collections.flatMap(collection => collection.ids.map(id => ({ collection, id })))
  const calls = asked.map(({ collection, id }) => itemCallOf(account, collection, id))
  const answers = await readTogether(chain, network, calls)
  const held = answers.flatMap((answer, at) => {
    const one = asked[at]
    const amount = one ? amountOf(account, one.collection.kind, answer) : '0'
    return one && amount !== '0' ? [{ ...one, amount }] : []
  })
  return collections.map(collection =>
    held.filter(one => one.collection === collection).map(({ id, amount }) => ({ id, amount })),
  )
}

/**
 * Reads the ids of the account's first items from ERC-721's enumeration extension. Empty for a collection without it.
 * Throws 4901.
 */
export const readOwnIds = async (
  { chain, network, account }: AccountAtNode,
  address: Address,
  most: number,
): Promise<readonly string[]> => {
  const [balance] = await askAll(chain, network, [questionOf(balanceCall(address, account))])
  const length = Math.min(most, Number(decodeAs(number, balance) ?? 0))
  const calls = Array.from({ length }, (_, at) => ({
    to: address,
    data: `${TOKEN_OF_OWNER}${wordOf(account.slice(2))}${wordOf(at.toString(16))}`,
  }))
  return (await readTogether(chain, network, calls)).flatMap(answer => decodeAs(number, answer) ?? [])
}

/** Reads the URI of an item's metadata. Null if the contract did not answer, or returned none. Throws 4901. */
export const readItemUri = async (
  { chain, network }: Pick<AccountAtNode, 'chain' | 'network'>,
  { address, kind, id }: Pick<Holder, 'address' | 'kind'> & { id: string },
): Promise<string | null> => {
  const [answer] = await askAll(chain, network, [
    callOf(address, `${kind === 'erc721' ? TOKEN_URI : URI}${idWord(id)}`),
  ])
  return decodeAs(text, answer) || null
}

/**
 * Reads each contract's symbol and decimals in order. If a collection has a name, the name is returned as its symbol.
 * Throws 4901.
 */
export const readTokenMetadata = async (
  { chain, network }: Pick<AccountAtNode, 'chain' | 'network'>,
  contracts: readonly Pick<Holder, 'address' | 'kind'>[],
): Promise<readonly TokenMetadata[]> => {
  const answers = await askAll(
    chain,
    network,
    contracts.flatMap(({ address, kind }) => [
      callOf(address, SYMBOL),
      callOf(address, kind === 'erc20' ? DECIMALS : NAME),
    ]),
  )
  return contracts.map(({ kind }, at) => {
    const [symbol, more] = [textIn(answers[at * 2]), answers[at * 2 + 1]]
    if (kind !== 'erc20') return { symbol: textIn(more) ?? symbol, decimals: null }
    const decimals = decodeAs(small, more)
    return { symbol, decimals: decimals === null ? null : Number(decimals) }
  })
}

/** Reads a token's symbol and decimals. Never throws: both are null if the node does not answer. */
export const readToken = async (chain: Chain, network: Network, address: Address): Promise<TokenMetadata> => {
  const [facts] = await readTokenMetadata({ chain, network }, [{ address, kind: 'erc20' }]).catch(() => [])
  return facts ?? { symbol: null, decimals: null }
}

/** Values with which a review compares allowances. Unanswered values are absent. */
export type AllowanceContext = Pick<TokenView, 'supply' | 'allowed' | 'collection'>

/**
 * Reads the values with which a review compares allowances. `spenders` are the spenders whose allowance increases. A
 * token with decimals is not a collection. Throws 4901.
 */
export const readAllowanceContext = async (
  { chain, network, account }: AccountAtNode,
  address: Address,
  spenders: readonly string[],
): Promise<AllowanceContext> => {
  const [total, kind, decimals, ...allowances] = await askAll(chain, network, [
    callOf(address, TOTAL_SUPPLY),
    callOf(address, `${SUPPORTS}${INTERFACES.erc721.padEnd(WORD, '0')}`),
    callOf(address, DECIMALS),
    ...spenders.map(spender => callOf(address, `${ALLOWANCE}${wordOf(account.slice(2))}${wordOf(spender.slice(2))}`)),
  ])
  const supply = decodeAs(number, total)
  const allowed = spenders.flatMap((spender, at) => {
    const amount = decodeAs(number, allowances[at])
    return amount === null ? [] : [{ spender, amount }]
  })
  return {
    ...(supply !== null && { supply }),
    ...(allowed.length > 0 && { allowed }),
    ...(decodeAs(number, kind) === '1' && decodeAs(number, decimals) === null && { collection: true }),
  }
}

/** Detects a contract's token standard. Null if it has none. Throws 4901. */
export const readKind = async (
  { chain, network, account }: AccountAtNode,
  address: Address,
): Promise<AssetKind | null> => {
  const supports = (id: string) => callOf(address, `${SUPPORTS}${id.padEnd(WORD, '0')}` as Hex)
  const [items, kinds, balance] = await askAll(chain, network, [
    supports(INTERFACES.erc721),
    supports(INTERFACES.erc1155),
    ...questionsOf(account, { address, kind: 'erc20', ids: [] }),
  ])
  if (decodeAs(number, items) === '1') return 'erc721'
  if (decodeAs(number, kinds) === '1') return 'erc1155'
  return decodeAs(number, balance) === null ? null : 'erc20'
}
