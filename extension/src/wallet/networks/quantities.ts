/** Reads numbers in nodes' results: https://ethereum.org/developers/docs/apis/json-rpc/#hex-encoding */
import type { Outcome } from './answers.ts'

/** Members of a result. */
export type Members = Readonly<Record<string, unknown>>

/** Thrown if a result, or a part of it, cannot be parsed. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  readonly answer: unknown

  constructor(answer: unknown) {
    super('the result cannot be read')
    this.answer = answer
  }
}

/** Numbers that BigInt accepts: nodes pad them, and some use decimals. */
const NUMBER = /^\s*(?:0x[\da-f]+|\d+)\s*$/i
/** Maximum characters of a number. A 256-bit number has up to 78 digits. */
const LONGEST_NUMBER = 200
const END = 1n << 256n

/** Parses a number of up to 256 bits. Null for anything else, including a JSON number that may have lost digits. */
const readNumber = (value: unknown): bigint | null => {
  const isText = typeof value === 'string' && value.length <= LONGEST_NUMBER && NUMBER.test(value)
  const isWhole = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  if (!isText && !isWhole) return null
  const number = BigInt(value)
  return number < END ? number : null
}

/** Parses a result that is a number. Throws Unreadable. */
export const toQuantity = (value: unknown): bigint => {
  const number = readNumber(value)
  if (number === null) throw new Unreadable(value)
  return number
}

const withBits =
  (bits: bigint) =>
  (value: unknown): bigint => {
    const number = toQuantity(value)
    if (number >> bits !== 0n) throw new Unreadable(value)
    return number
  }

/** Parses a result that is an amount of gas or a nonce: 64 bits in a transaction. Throws Unreadable. */
export const toCount = withBits(64n)
/** Parses a result that is a price per gas, in wei. No transaction's price exceeds 128 bits. Throws Unreadable. */
export const toPrice = withBits(128n)

/** Parses a member that is a number. Throws Unreadable. */
export const quantityIn = (members: Members, name: string): bigint => {
  const number = readNumber(members[name])
  if (number === null) throw new Unreadable({ [name]: members[name] ?? null })
  return number
}

/** Parses a member that is a number. Null if it is absent or null. Throws Unreadable. */
export const statedQuantityIn = (members: Members, name: string): bigint | null =>
  members[name] === undefined || members[name] === null ? null : quantityIn(members, name)

/** Parses a member that is a price per gas. Null if it is absent or null. Throws Unreadable. */
export const statedPriceIn = (members: Members, name: string): bigint | null => {
  try {
    return members[name] === undefined || members[name] === null ? null : toPrice(members[name])
  } catch {
    throw new Unreadable({ [name]: members[name] })
  }
}

/** Parses a member that is a number. Null if it is not. */
export const plausibleQuantityIn = (members: Members, name: string): bigint | null => readNumber(members[name])

/** Returns the number in an outcome. Null if there is none. */
export const quantityOf = (outcome: Outcome | undefined): bigint | null =>
  outcome && 'result' in outcome ? readNumber(outcome.result) : null
