/** What a call asks of a contract, for the functions that a person must understand before signing. */
import { type AbiFunction, parseFunction } from './abi.ts'
import { type AbiValue, type Budget, readArguments } from './abi-decode.ts'
import { type Hex, toBytes, ValueError } from './hex.ts'

/**
 * The functions that are decoded; one more line is one more function. Amounts are named `value` throughout. ERC-721
 * shares `approve` and `transferFrom` with ERC-20: there the value is the id of the token.
 */
export const functions = [
  // ERC-20 https://eips.ethereum.org/EIPS/eip-20, and how tokens change an allowance by a difference
  'transfer(address to, uint256 value)',
  'approve(address spender, uint256 value)',
  'transferFrom(address from, address to, uint256 value)',
  'increaseAllowance(address spender, uint256 value)',
  'decreaseAllowance(address spender, uint256 value)',
  'increaseApproval(address spender, uint256 value)',
  'decreaseApproval(address spender, uint256 value)',
  // ERC-2612 https://eips.ethereum.org/EIPS/eip-2612, the permit of DAI, and that of Uniswap's positions (ERC-721)
  'permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)',
  'permit(address spender, uint256 tokenId, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  // ERC-721 https://eips.ethereum.org/EIPS/eip-721 and ERC-1155 https://eips.ethereum.org/EIPS/eip-1155
  'setApprovalForAll(address operator, bool approved)',
  'safeTransferFrom(address from, address to, uint256 tokenId)',
  'safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  'safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
  'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
  // Permit2 https://github.com/Uniswap/permit2
  'approve(address token, address spender, uint160 value, uint48 expiration)',
  'permit(address owner, ((address token, uint160 value, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)',
  'permit(address owner, ((address token, uint160 value, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)',
  'transferFrom(address from, address to, uint160 value, address token)',
  'transferFrom((address from, address to, uint160 value, address token)[] transferDetails)',
  // WETH9
  'deposit()',
  'withdraw(uint256 value)',
  // Several calls of the same contract in one; Uniswap's also with a deadline
  'multicall(bytes[] data)',
  'multicall(uint256 deadline, bytes[] data)',
] as const

/** An argument as text, or its parts: see `AbiValue`. */
export type CallArgument = AbiValue

/**
 * A call of a known function. `unusual` is there where the bytes are not those that an encoder writes, though contracts
 * read these arguments from them. Malformed is a call with an offset outside the data, or with more than is read of one.
 */
export type Call =
  | { kind: 'call'; name: string; signature: string; args: readonly CallArgument[]; unusual?: true }
  | { kind: 'malformed'; name: string; signature: string; why: string }

const SELECTOR_BYTES = 4
/** Characters of `0x` and a selector. */
const SELECTOR_LENGTH = 2 + 2 * SELECTOR_BYTES

const bySelector = new Map<string, AbiFunction>(
  functions.map(parseFunction).map(called => [called.selector, called] as const),
)

/** `0x` and the first four bytes in lower case, which say what function is called; less where there is less. */
export const selectorOf = (data: Hex): string => data.slice(0, SELECTOR_LENGTH).toLowerCase()

/** Decodes the data of a transaction; undefined when it has no selector or one that is not in the table. */
export const decodeCall = (data: Hex, budget?: Budget): Call | undefined => {
  const called = bySelector.get(selectorOf(data))
  return called && decodeCallOf(called, data, budget)
}

/** Decodes data that begins with the selector of this function. Calls within a call share the `budget` of that. */
export const decodeCallOf = ({ name, signature, parameters }: AbiFunction, data: Hex, budget?: Budget): Call => {
  try {
    const { values, unusual } = readArguments(parameters, toBytes(data), SELECTOR_BYTES, budget)
    return { kind: 'call', name, signature, args: values, ...(unusual !== undefined && { unusual: true }) }
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    return { kind: 'malformed', name, signature, why: error.message }
  }
}
