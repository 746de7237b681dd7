/** Calls of Uniswap's Universal Router: https://docs.uniswap.org/contracts/universal-router/technical-reference */
import { concat, toBeHex } from 'ethers'
import { UNIVERSAL_ROUTER } from './addresses.ts'
import { calling, encodeValues, IN_30_MINUTES, type Request } from './encode.ts'

const V3_SWAP_EXACT_IN = 0x00
const PERMIT2_TRANSFER_FROM = 0x02
const TRANSFER = 0x05
const PERMIT2_PERMIT = 0x0a
const WRAP_ETH = 0x0b

/** Placeholder recipients that the router replaces with the sender and with itself. */
export const SENDER = toBeHex(1, 20)
export const ROUTER = toBeHex(2, 20)

type Command = { code: number; input: string }
const command = (code: number, types: readonly string[], values: readonly unknown[]): Command => ({
  code,
  input: encodeValues(types, values),
})

const PERMIT_SINGLE = 'tuple(tuple(address,uint160,uint48,uint48),address,uint256)'

export const wrapCoins = (amount: bigint): Command => command(WRAP_ETH, ['address', 'uint256'], [ROUTER, amount])

/** Swaps exact tokens of the router along a path of tokens and pool fees. */
export const swapExactIn = (recipient: string, amount: bigint, least: bigint, path: readonly string[]): Command =>
  command(
    V3_SWAP_EXACT_IN,
    ['address', 'uint256', 'uint256', 'bytes', 'bool'],
    [recipient, amount, least, concat(path), false],
  )

export const takeWithPermit2 = (token: string, recipient: string, amount: bigint): Command =>
  command(PERMIT2_TRANSFER_FROM, ['address', 'address', 'uint160'], [token, recipient, amount])

/** A permit whose signature the router forwards. */
export const usePermit = (token: string, amount: bigint, expiration: bigint): Command =>
  command(
    PERMIT2_PERMIT,
    [PERMIT_SINGLE, 'bytes'],
    [[[token, amount, expiration, 0n], UNIVERSAL_ROUTER, IN_30_MINUTES], `0x${'5c'.repeat(64)}1b`],
  )

/** Sends the router's tokens, or its coins if the token is the zero address. */
export const send = (token: string, recipient: string, amount: bigint): Command =>
  command(TRANSFER, ['address', 'address', 'uint256'], [token, recipient, amount])

export const routerCall = (commands: readonly Command[], value = 0n): Request =>
  calling(
    UNIVERSAL_ROUTER,
    'execute(bytes,bytes[],uint256)',
    [concat(commands.map(({ code }) => toBeHex(code, 1))), commands.map(({ input }) => input), IN_30_MINUTES],
    value,
  )
