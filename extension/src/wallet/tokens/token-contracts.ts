/**
 * Reads metadata, balances and allowances from token contracts in one JSON-RPC batch:
 * https://eips.ethereum.org/EIPS/eip-20, https://eips.ethereum.org/EIPS/eip-721,
 * https://eips.ethereum.org/EIPS/eip-1155, https://eips.ethereum.org/EIPS/eip-165
 */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { decodeArguments } from '@heliograph/shared/evm/abi-decode'
import type { Address } from '@heliograph/shared/evm/address'
import { type Hex, isHex, toBytes } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { AssetKind, TokenView } from '../../messages.ts'
import { askAll, type Chain, type Outcome, type Question } from '../networks/node.ts'

/** An account on a network, and the node to ask about it. */
export type AccountAtNode = { chain: Chain; network: Network; account: Address }

/** `ids` are the token ids to query in an ERC-1155 collection. Empty for other kinds. */
export type Holder = { address: Address; kind: AssetKind; ids: readonly string[] }

/** Null if the contract did not answer, or not as the standard requires. */
export type TokenMetadata = { symbol: string | null; decimals: number | null }

const SYMBOL = '0x95d89b41'
const DECIMALS = '0x313ce567'
const BALANCE_OF = '0x70a08231'
const TOTAL_SUPPLY = '0x18160ddd'
const ALLOWANCE = '0xdd62ed3e'
const BALANCE_OF_ITEM = '0x00fdd58e'
const SUPPORTS = '0x01ffc9a7'
const INTERFACES = { erc721: '80ac58cd', erc1155: 'd9b67a26' } as const

/** Results are decoded like function arguments. */
const { parameters: text } = parseFunction('answer(string value)')
const { parameters: number } = parseFunction('answer(uint256 value)')

const WORD = 64
const wordOf = (digits: string): string => digits.toLowerCase().padStart(WORD, '0')
const callOf = (to: string, data: string): Question => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })

const decodeAs = (parameters: typeof text, outcome: Outcome | undefined): string | null => {
  if (!outcome || 'error' in outcome) return null
  try {
    return String(decodeArguments(parameters, toBytes(outcome.result))[0]?.value)
  } catch {
    return null
  }
}

/** Some tokens predate the standard and return bytes32, padded with zeros. */
const textIn = (outcome: Outcome | undefined): string | null => {
  const decoded = decodeAs(text, outcome)
  if (decoded !== null || !outcome || 'error' in outcome) return decoded
  const { result } = outcome
  if (!isHex(result) || result.length !== 2 + WORD) return null
  const bytes = toBytes(result)
  const end = bytes.indexOf(0)
  return end === 0 ? null : new TextDecoder().decode(bytes.subarray(0, end === -1 ? undefined : end))
}

const questionsOf = (account: Address, { address, kind, ids }: Holder): Question[] =>
  kind === 'erc1155'
    ? ids.map(id => callOf(address, `${BALANCE_OF_ITEM}${wordOf(account.slice(2))}${wordOf(BigInt(id).toString(16))}`))
    : [callOf(address, `${BALANCE_OF}${wordOf(account.slice(2))}`)]

/** Decodes a balance: token units, or the number of items in a collection. Null if the contract did not answer. */
const heldOf = (kind: AssetKind, answers: readonly Outcome[]): string | null => {
  const amounts = answers.map(answer => decodeAs(number, answer))
  if (kind !== 'erc1155') return amounts[0] ?? null
  return amounts.every(amount => amount === null)
    ? null
    : String(amounts.filter(amount => amount !== null && amount !== '0').length)
}

/** Balances of the account in order, as decimal strings. Throws 4901. */
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

/** Symbol and decimals of each contract in order. Throws 4901. */
export const readTokenMetadata = async (
  { chain, network }: Pick<AccountAtNode, 'chain' | 'network'>,
  addresses: readonly Address[],
): Promise<readonly TokenMetadata[]> => {
  const answers = await askAll(
    chain,
    network,
    addresses.flatMap(address => [callOf(address, SYMBOL), callOf(address, DECIMALS)]),
  )
  return addresses.map((_, at) => {
    const decimals = decodeAs(number, answers[at * 2 + 1])
    return { symbol: textIn(answers[at * 2]), decimals: decimals === null ? null : Number(decimals) }
  })
}

/** Values that a review compares allowances with. Unanswered ones are absent. */
export type AllowanceContext = Pick<TokenView, 'supply' | 'allowed' | 'collection'>

/** `spenders` are those whose allowance increases. A token with decimals is not a collection. Throws 4901. */
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

/** Detects the token standard of a contract, null if it has none. Throws 4901. */
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
