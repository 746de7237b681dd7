/**
 * Finds who receives the proceeds of a call, and which tokens it takes. The parameter names are explained in
 * `functions.ts`.
 */
import { sameAddress, toAddress } from '@heliograph/shared/evm/address'
import type { GainAct, TokenAct } from '../../messages.ts'
import { UNLIMITED_BITS } from '../../messages.ts'
import { type Arguments, find, levelsOf, type Made, partsOf, partyOf, textOf, ZERO } from './call-arguments.ts'

/** Address that stands for coins. */
const COINS = /^0xe{40}$/i
/** Placeholders in Uniswap's routers: the caller, and the router itself. */
const CALLER = /^0x0{39}1$/
const ROUTER = /^0x0{39}2$/
/** Functions of SwapRouter02, and commands of the Universal Router, whose names are in capitals. */
const WITH_PLACEHOLDERS: readonly string[] = [
  'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))',
  'exactInput((bytes,address,uint256,uint256))',
  'exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))',
  'exactOutput((bytes,address,uint256,uint256))',
  'swapExactTokensForTokens(uint256,uint256,address[],address)',
  'swapTokensForExactTokens(uint256,uint256,address[],address)',
]
const COMMAND = /^[A-Z0-9_]+\(/
const hasPlaceholders = ({ call: { signature } }: Made) =>
  COMMAND.test(signature) || WITH_PLACEHOLDERS.includes(signature)

/** Resolves a placeholder to the party that it stands for. */
export const recipientOf = (made: Made, recipient: string): string => {
  if (!hasPlaceholders(made)) return recipient
  if (CALLER.test(recipient)) return made.account
  return ROUTER.test(recipient) ? made.to : recipient
}

const chainOf = (level: Arguments): { chainId?: number } => {
  const chainId = Number(textOf(level, 'destinationChainId'))
  return Number.isSafeInteger(chainId) && chainId > 0 ? { chainId } : {}
}

/** Number of hex digits of a packed address, and its length including `0x`. */
const ADDRESS_DIGITS = 40
const ADDRESS_END = 42

/** Names of the parameter with the token that a beneficiary receives. */
const GOT: readonly string[] = ['tokenOut', 'token', 'asset', 'dstToken', 'destToken', 'buyToken']

/**
 * Returns the token bought along a path: the path's last token, or the first one in the packed path of an exact-output
 * swap, which is reversed.
 */
const lastOfPath = (level: Arguments): string | undefined => {
  const path = find(level, 'path')
  if (typeof path?.value !== 'string')
    return partsOf(level, 'path')
      .flatMap(token => partyOf(token) ?? [])
      .at(-1)
  if (path.value.length < ADDRESS_END) return undefined
  const isReversed = find(level, 'amountOut') !== undefined
  return toAddress(isReversed ? path.value.slice(0, ADDRESS_END) : `0x${path.value.slice(-ADDRESS_DIGITS)}`)
}

const assetOf = (level: Arguments): { asset?: string } => {
  const named = level.find(({ name, type }) => type === 'address' && GOT.includes(name))
  const asset = (named && partyOf(named)) ?? lastOfPath(level)
  return asset === undefined || ZERO.test(asset) || COINS.test(asset) ? {} : { asset }
}

/** True if the party is the router itself. A later command then moves the tokens to their recipient. */
const staysInRouter = (made: Made, party: string) => hasPlaceholders(made) && sameAddress(party, made.to)

const same = (one: GainAct, other: GainAct) => one.to === other.to && one.chainId === other.chainId

/** Returns the gains of all parties named `beneficiary`. The zero address stands for the caller or the contract. */
export const gainsOfCall = (made: Made): GainAct[] => {
  const gains = levelsOf(made.call.args).flatMap(level =>
    level
      .filter(({ name }) => name === 'beneficiary')
      .flatMap(argument => {
        const party = partyOf(argument)
        const to = party === undefined || ZERO.test(party) ? undefined : recipientOf(made, party)
        if (to === undefined || staysInRouter(made, to)) return []
        return [{ kind: 'gain', by: made.to, to, ...chainOf(level), ...assetOf(level) } satisfies GainAct]
      }),
  )
  return gains.filter((gain, at) => gains.findIndex(other => same(gain, other)) === at)
}

/** Returns the first token of a path if the caller pays for it. */
const firstOfPath = (level: Arguments): string | undefined => {
  const path = find(level, 'path')
  if (textOf(level, 'payerIsUser') !== 'true' || path === undefined) return undefined
  if (typeof path.value !== 'string') return partsOf(level, 'path').flatMap(token => partyOf(token) ?? [])[0]
  return path.value.length < ADDRESS_END ? undefined : toAddress(path.value.slice(0, ADDRESS_END))
}

/**
 * Returns the transfer of `amountIn` of `tokenIn` to the contract. None for zero, or for amounts larger than anyone
 * holds, which mean "all".
 */
const spent = ({ to, account }: Made, level: Arguments): TokenAct[] => {
  const [named, amount] = [find(level, 'tokenIn'), textOf(level, 'amountIn')]
  const token = (named && partyOf(named)) ?? firstOfPath(level)
  if (token === undefined || ZERO.test(token) || COINS.test(token) || !/^\d+$/.test(amount)) return []
  if (amount === '0' || BigInt(amount) >> UNLIMITED_BITS !== 0n) return []
  return [{ kind: 'transfer', token, from: textOf(level, 'from') || account, to, amount, id: null }]
}

/** Returns the tokens that the contract takes from the caller, as far as plain arguments name token and amount. */
export const spendsOfCall = (made: Made): TokenAct[] => levelsOf(made.call.args).flatMap(level => spent(made, level))
