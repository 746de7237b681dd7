/** Encodes calls to the ENS contracts and decodes their results, which are untrusted. */
import { type AbiFunction, parseFunction } from '@heliograph/shared/evm/abi'
import { readArguments } from '@heliograph/shared/evm/abi-decode'
import { encodeBytesArguments } from '@heliograph/shared/evm/abi-encode'
import { type Address, toAddress } from '@heliograph/shared/evm/address'
import { decodeData, encodeData, type Hex, isHex } from '@heliograph/shared/evm/hex'
import { encodeDnsName, nameHash } from '@heliograph/shared/evm/name-hash'
import { ValueError } from '@heliograph/shared/evm/value-error'

/** Maximum characters of a result in hex. An address or a name takes only a few words. */
const MAX_ANSWER = 1 << 16
const ZERO = /^0x0*$/
const ADDRESS_SIZE = 20

const RESOLVER = parseFunction('resolver(bytes32 node)')
const ADDR = parseFunction('addr(bytes32 node)')
const ADDR_OF_COIN = parseFunction('addr(bytes32 node, uint256 coinType)')
const NAME = parseFunction('name(bytes32 node)')
const RESOLVE = parseFunction('resolve(bytes name, bytes data)')
const SUPPORTS_INTERFACE = parseFunction('supportsInterface(bytes4 id)')

const BYTES = parseFunction('answer(bytes value)').parameters
const STRING = parseFunction('answer(string value)').parameters
const WORD = parseFunction('answer(bytes32 value)').parameters

const WORD_DIGITS = 64

const ofNode = ({ selector }: AbiFunction, name: string): Hex => `${selector}${nameHash(name).slice(2)}`

export const resolverCall = (name: string): Hex => ofNode(RESOLVER, name)
/** Encodes ENSIP-1's `addr`: the name's address on Ethereum. */
export const addrCall = (name: string): Hex => ofNode(ADDR, name)
/** Encodes ENSIP-9's `addr` with a coin type. */
export const addrOfCoinCall = (name: string, coinType: number): Hex =>
  `${ofNode(ADDR_OF_COIN, name)}${coinType.toString(16).padStart(WORD_DIGITS, '0')}`
/** Encodes ENSIP-3's `name`: the name in a reverse record. */
export const nameCall = (name: string): Hex => ofNode(NAME, name)
/** Encodes ENSIP-10's `resolve`: a call to a resolver that also answers for the subdomains of its name. */
export const resolveCall = (name: string, data: Hex): Hex =>
  `${RESOLVE.selector}${encodeData(encodeBytesArguments(encodeDnsName(name), decodeData(data))).slice(2)}`
/** ERC-165 call for ENSIP-10: returns true if the resolver has `resolve`, whose selector is the interface's id. */
export const supportsResolveCall: Hex = `${SUPPORTS_INTERFACE.selector}${RESOLVE.selector.slice(2).padEnd(WORD_DIGITS, '0')}`

/** Returns a result's only value. Undefined if it cannot be decoded. */
const readOne = (parameters: AbiFunction['parameters'], answer: unknown): string | undefined => {
  if (!isHex(answer) || answer === '0x' || answer.length > MAX_ANSWER) return undefined
  try {
    const [first] = readArguments(decodeData(answer), parameters).values
    return typeof first?.value === 'string' ? first.value : undefined
  } catch (error) {
    if (error instanceof ValueError) return undefined
    throw error
  }
}

/** Decodes the address that `addr` or `resolver` returned. Undefined if there is none, or the zero address. */
export const toAnsweredAddress = (answer: unknown): Address | undefined => {
  const word = readOne(WORD, answer)
  if (word === undefined || !ZERO.test(word.slice(0, -2 * ADDRESS_SIZE))) return undefined
  const digits = word.slice(-2 * ADDRESS_SIZE)
  return ZERO.test(`0x${digits}`) ? undefined : toAddress(`0x${digits}`)
}

/** Decodes the bytes in a result, as hex data. Undefined if there are none. */
export const toAnsweredBytes = (answer: unknown): Hex | undefined => {
  const bytes = readOne(BYTES, answer)
  return isHex(bytes) && bytes !== '0x' ? bytes : undefined
}

/** Decodes the address that `addr` returned for an EVM chain's coin type: 20 bytes. */
export const toAnsweredAddressOfCoin = (answer: unknown): Address | undefined => {
  const bytes = toAnsweredBytes(answer)
  if (bytes === undefined || bytes.length !== 2 + 2 * ADDRESS_SIZE || ZERO.test(bytes)) return undefined
  return toAddress(bytes)
}

/** Decodes the text that `name` returned. Undefined if there is none. */
export const toAnsweredText = (answer: unknown): string | undefined => readOne(STRING, answer) || undefined

/** True if a call returned `true`. Solidity guarantees that a boolean is 0 or 1; other contracts may not. */
export const isTrue = (answer: unknown): boolean => {
  const word = readOne(WORD, answer)
  return word !== undefined && BigInt(word) === 1n
}
