/**
 * What contracts of tokens and collections say of themselves and of an account, many in one message:
 * https://eips.ethereum.org/EIPS/eip-20, https://eips.ethereum.org/EIPS/eip-721, https://eips.ethereum.org/EIPS/eip-1155,
 * https://eips.ethereum.org/EIPS/eip-165
 */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { decodeArguments } from '@heliograph/shared/evm/abi-decode'
import type { Address } from '@heliograph/shared/evm/address'
import { type Hex, isHex, toBytes } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { AssetKind, TokenView } from '../../messages.ts'
import { askAll, type Chain, type Outcome, type Question } from '../chain.ts'

export type Place = { chain: Chain; network: Network; account: Address }

/** `ids` are the items of which it is asked, in a collection of ERC-1155; there are none for the others. */
export type Holder = { address: Address; kind: AssetKind; ids: readonly string[] }

/** null stands for what the contract did not say, or not in the form of the standard. */
export type Facts = { symbol: string | null; decimals: number | null }

const SYMBOL = '0x95d89b41'
const DECIMALS = '0x313ce567'
const BALANCE_OF = '0x70a08231'
const TOTAL_SUPPLY = '0x18160ddd'
const ALLOWANCE = '0xdd62ed3e'
const BALANCE_OF_ITEM = '0x00fdd58e'
const SUPPORTS = '0x01ffc9a7'
const INTERFACES = { erc721: '80ac58cd', erc1155: 'd9b67a26' } as const

/** An answer is decoded as the arguments of a function are. */
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

/** Some tokens are older than the standard and answer with 32 bytes, filled up with zeros. */
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

/** What is held: units of a token, items of a collection. Null where the contract did not say. */
const heldOf = (kind: AssetKind, answers: readonly Outcome[]): string | null => {
  const amounts = answers.map(answer => decodeAs(number, answer))
  if (kind !== 'erc1155') return amounts[0] ?? null
  return amounts.every(amount => amount === null)
    ? null
    : String(amounts.filter(amount => amount !== null && amount !== '0').length)
}

/** What the account holds of each, in decimal digits and in order. Throws 4901. */
export const readHeld = async (
  { chain, network, account }: Place,
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

/** What each contract says of itself, in order. Throws 4901. */
export const readFacts = async (
  { chain, network }: Pick<Place, 'chain' | 'network'>,
  addresses: readonly Address[],
): Promise<readonly Facts[]> => {
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

/** What allowances of a token are measured against. What the contract does not say is missing. */
export type AllowanceFacts = Pick<TokenView, 'supply' | 'allowed' | 'collection'>

/** `spenders` are those that are to get more than they have. A token with decimals is no collection. Throws 4901. */
export const readAllowanceFacts = async (
  { chain, network, account }: Place,
  address: Address,
  spenders: readonly string[],
): Promise<AllowanceFacts> => {
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

/** Of which kind a contract says it is; null for one that says nothing of the kind. Throws 4901. */
export const readKind = async ({ chain, network, account }: Place, address: Address): Promise<AssetKind | null> => {
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
