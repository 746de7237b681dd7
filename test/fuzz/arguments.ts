/** Calls of functions that the wallet knows, with arguments that an attacker chooses to look harmless. */
import { functions } from '@heliograph/shared/evm/functions'
import { FunctionFragment, type ParamType } from 'ethers'
import { oneIn, pick, type Random, randomBits } from '../support/random.ts'
import { FRIEND, SPENDER, TOKENS, ZERO } from './addresses.ts'
import { encodeCall, type Irregular } from './encode.ts'

/** The sender, the called contract, and the transaction's value in wei. */
export type Called = { account: string; contract: string; amount: bigint }

const KNOWN: readonly FunctionFragment[] = functions.map(text => FunctionFragment.from(`function ${text}`))
const WORD_BITS = 256
/** Enough bytes for a selector and two words. */
const MOST_BYTES = 68

const bytesOf = (random: Random, count: number): string =>
  count === 0
    ? '0x'
    : `0x${randomBits(random, 8 * count)
        .toString(16)
        .padStart(2 * count, '0')}`

const bitsOf = (baseType: string): number => Number(/\d+$/.exec(baseType)?.[0] ?? WORD_BITS)

const numberFor = (baseType: string, { account, amount }: Called, random: Random): bigint => {
  const bits = baseType.startsWith('uint') ? bitsOf(baseType) : bitsOf(baseType) - 1
  const most = (1n << BigInt(bits)) - 1n
  return BigInt.asUintN(bits, pick(random, [0n, 0n, 1n, 2n, amount, BigInt(account), most, randomBits(random, bits)]))
}

const bytesFor = ({ account, amount }: Called, random: Random): string =>
  pick(random, [
    '0x',
    '0x',
    bytesOf(random, random(MOST_BYTES)),
    encodeCall('transfer(address,uint256)', [account, amount]),
    encodeCall('deposit()', []),
  ])

/** Returns a value of `size` bytes, often the account. */
const wordFor = (size: number, { account }: Called, random: Random): bigint =>
  pick(random, [0n, BigInt.asUintN(8 * size, BigInt(account)), randomBits(random, 8 * size)])

/** Returns a value of this type. Lists are often empty, and addresses are often the account's own. */
const valueFor = (type: ParamType, called: Called, random: Random): unknown => {
  if (type.isTuple()) return type.components.map(component => valueFor(component, called, random))
  if (type.isArray()) {
    const length = type.arrayLength === -1 ? pick(random, [0, 0, 1, 2]) : type.arrayLength
    return Array.from({ length }, () => valueFor(type.arrayChildren, called, random))
  }
  const { baseType } = type
  if (baseType === 'address') {
    const { account, contract } = called
    return pick(random, [account, account, account, contract, FRIEND, SPENDER, ZERO, TOKENS[0] ?? ZERO])
  }
  if (baseType === 'bool') return oneIn(random, 2)
  if (baseType === 'bytes') return bytesFor(called, random)
  if (baseType === 'string') return pick(random, ['', 'alice', 'Security update'])
  if (baseType.startsWith('bytes')) return wordFor(bitsOf(baseType), called, random)
  return numberFor(baseType, called, random)
}

export const knownCall = (called: Called, random: Random, irregular: Irregular): string => {
  const { inputs, name } = pick(random, KNOWN)
  const signature = `${name}(${inputs.map(input => input.format('sighash')).join(',')})`
  return encodeCall(
    signature,
    inputs.map(input => valueFor(input, called, random)),
    irregular,
  )
}

/** Functions of an airdrop, of a drainer, and of no known contract. */
const OTHERS = ['claim()', 'SecurityUpdate()', 'claimRewards(address,uint256)', 'networkMerge(bytes,bool)']

export const unknownCall = (called: Called, random: Random, irregular: Irregular): string => {
  if (oneIn(random, 3)) return bytesOf(random, 4 + random(MOST_BYTES))
  const signature = pick(random, OTHERS)
  const { inputs } = FunctionFragment.from(`function ${signature}`)
  return encodeCall(
    signature,
    inputs.map(input => valueFor(input, called, random)),
    irregular,
  )
}
