/** Reads the metadata of a request's tokens, from the user's list or from their contracts. */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { decodeArguments } from '@heliograph/shared/evm/abi-decode'
import { type Address, isAddress, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { decodeData } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import * as v from 'valibot'
import type { Act, TokenView } from '../../messages.ts'
import type { Chain } from '../networks/node.ts'
import { MAX_DECIMALS } from '../text/values.ts'
import type { Asset, Assets } from './assets.ts'
import {
  type AccountAtNode,
  type AllowanceContext,
  readAllowanceContext,
  readToken,
  type TokenMetadata,
} from './token-contracts.ts'
import { TokenSymbol } from './token-text.ts'

/** Maximum number of allowances that a request's review shows. More are a danger in themselves. */
export const MAX_ALLOWANCES = 32
/** Maximum number of tokens queried per request, allowances first. */
const MAX_TOKENS = MAX_ALLOWANCES
/** Milliseconds to wait for the node. After that, the request is shown without the metadata. */
const PATIENCE = 3_000

const BALANCE_OF = '0x70a08231'
const { parameters: amount } = parseFunction('answer(uint256 value)')

const distinct = (addresses: readonly string[]): string[] => [
  ...new Map(addresses.map(address => [address.toLowerCase(), address])).values(),
]

type Allow = Act & { kind: 'allow' }
const allowancesIn = (acts: readonly Act[]): Allow[] => acts.filter((act): act is Allow => act.kind === 'allow')

/** Returns the tokens that an act names. A right to borrow (`credit`) names a debt token. */
const tokensOfAct = (act: Act): string[] => {
  if (act.kind === 'order')
    return [...act.gives, ...act.gets, ...(act.others ?? [])].flatMap(({ token }) => token ?? [])
  if (act.kind === 'gain') return act.asset === undefined ? [] : [act.asset]
  if (act.kind === 'control') return act.right === 'credit' ? [act.of] : []
  return act.kind === 'call' ? [] : [act.token]
}

/**
 * Returns the distinct tokens of these acts. Tokens with allowances come first, because their review needs the data.
 */
const tokensOf = (acts: readonly Act[]): string[] => {
  const others = acts.flatMap(tokensOfAct)
  const allowed = allowancesIn(acts).filter(({ amount }) => amount !== '0')
  return distinct([...allowed.map(({ token }) => token), ...others]).slice(0, MAX_TOKENS)
}

/** Returns the spenders whose allowance of a token increases. */
const spendersOf = (acts: readonly Act[], token: string): string[] =>
  distinct(
    allowancesIn(acts)
      .filter(act => act.adds && sameAddress(act.token, token))
      .map(({ spender }) => spender),
  ).slice(0, MAX_ALLOWANCES)

const within = async <T>(promise: Promise<T>, fallback: T): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<T>(resolve => {
    timer = setTimeout(() => resolve(fallback), PATIENCE)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Returns a symbol for use in sentences. Null unless it is a line of visible characters. */
export const plainSymbol = (symbol: string | null): string | null => {
  const plain = v.safeParse(TokenSymbol, symbol)
  return plain.success ? plain.output : null
}

/** Returns the decimals. Null if there are more than can be displayed. */
export const plainDecimals = (decimals: number | null): number | null =>
  decimals !== null && decimals <= MAX_DECIMALS ? decimals : null

const readBalance = async ({ chain, network, account }: AccountAtNode, token: string): Promise<string | null> => {
  const data = `${BALANCE_OF}${account.slice(2).toLowerCase().padStart(64, '0')}`
  try {
    const answer = await chain(network, 'eth_call', [{ to: token, data }, 'latest'])
    return String(decodeArguments(decodeData(answer), amount)[0]?.value)
  } catch {
    return null
  }
}

const NOTHING: TokenMetadata = { symbol: null, decimals: null }

/** True for transfers whose amount may be an item id: `transferFrom` of a collection names an item. */
const canBeItem = (act: Act): boolean => act.kind === 'transfer' && act.id === null

/** Reads supply, allowances, and whether the token is a collection. Only allowances and transfers need these. */
const readMeasures = async (place: AccountAtNode, token: Address, acts: readonly Act[]): Promise<AllowanceContext> =>
  acts.some(act => (act.kind === 'allow' || canBeItem(act)) && 'token' in act && sameAddress(act.token, token))
    ? within(
        readAllowanceContext(place, token, spendersOf(acts, token)).catch(() => ({})),
        {},
      )
    : {}

const describe = async (
  place: AccountAtNode,
  listed: Asset | undefined,
  token: string,
  acts: readonly Act[],
): Promise<TokenView> => {
  const address = toAddress(token.toLowerCase())
  const [{ symbol, decimals }, balance, measures] = await Promise.all([
    listed ?? within(readToken(place.chain, place.network, address), NOTHING),
    within(readBalance(place, address), null),
    readMeasures(place, address, acts),
  ])
  return {
    address,
    symbol: plainSymbol(symbol),
    decimals: plainDecimals(decimals),
    balance,
    listed: listed !== undefined,
    ...measures,
  }
}

type TokensAt = { chain: Chain; network: Network; assets: Assets }

/**
 * Reads the metadata of these acts' tokens, for an account that may hold them. Never throws; unknown values are null.
 */
export const readTokens = async (
  place: TokensAt,
  account: string,
  acts: readonly Act[],
): Promise<readonly TokenView[]> => readTokensAt(place, account, tokensOf(acts), acts)

/**
 * Reads the metadata of the tokens at these addresses. Skips texts that are no addresses on this network, such as a token
 * that a bridge names on another. Never throws; unknown values are null.
 */
export const readTokensAt = async (
  { chain, network, assets }: TokensAt,
  account: string,
  named: readonly string[],
  acts: readonly Act[] = [],
): Promise<readonly TokenView[]> => {
  const tokens = named.filter(isAddress)
  if (tokens.length === 0) return []
  const own = (await assets.list()).filter(({ chainId }) => chainId === network.chainId)
  const find = (token: string) => own.find(({ address }) => sameAddress(address, token))
  return Promise.all(
    tokens.map(token =>
      describe({ chain, network, account: toAddress(account.toLowerCase()) }, find(token), token, acts),
    ),
  )
}
