/**
 * Irregular calldata that an attacker could send: some contract accepts each irregularity. Types and canonical values
 * come from ethers. https://docs.soliditylang.org/en/latest/abi-spec.html
 */
import { FunctionFragment, hexlify, ParamType, toUtf8Bytes } from 'ethers'
import { oneIn, pick, type Random, randomBits, shuffled } from '../support/random.ts'

/** Kinds of irregular encodings. */
export const IRREGULARITIES = [
  'dirty bits',
  'odd bool',
  'gaps',
  'tails in another order',
  'shared tails',
  'dirty offsets',
  'padding',
  'tail bytes',
  'cut zeros',
] as const
export type Irregularity = (typeof IRREGULARITIES)[number]
export type Irregular = ReadonlyMap<Irregularity, Random>

export const REGULAR: Irregular = new Map()

const WORD_BITS = 256
/** Number of bytes of a selector. The arguments start after it. */
const SELECTOR = 4

const word = (value: bigint): string => BigInt.asUintN(WORD_BITS, value).toString(16).padStart(64, '0')

/** Returns `count` random bytes. */
const noise = (random: Random, count: number): string =>
  count === 0
    ? ''
    : randomBits(random, 8 * count)
        .toString(16)
        .padStart(2 * count, '0')

/** Returns how many bits of a word its type uses, and on which side the value is. */
const bitsOf = ({ baseType }: ParamType): { used: number; atLeft: boolean } => {
  if (baseType === 'address') return { used: 160, atLeft: false }
  const integer = /^uint(\d+)$/.exec(baseType)?.[1]
  if (integer !== undefined) return { used: Number(integer), atLeft: false }
  const bytes = /^bytes(\d+)$/.exec(baseType)?.[1]
  return bytes === undefined ? { used: WORD_BITS, atLeft: false } : { used: 8 * Number(bytes), atLeft: true }
}

const encodeWord = (type: ParamType, value: unknown, irregular: Irregular): string => {
  if (type.baseType === 'bool') {
    const odd = irregular.get('odd bool')
    if (value !== true || !odd) return word(value === true ? 1n : 0n)
    return word(pick(odd, [2n, 256n, 1n << 8n, 1n << 255n, (1n << 256n) - 1n, 1n << 248n]))
  }
  const { used, atLeft } = bitsOf(type)
  const unused = WORD_BITS - used
  const clean = atLeft ? BigInt(String(value)) << BigInt(unused) : BigInt(String(value))
  const dirty = irregular.get('dirty bits')
  if (!dirty || unused === 0 || oneIn(dirty, 4)) return word(clean)
  const extra = oneIn(dirty, 3) ? (1n << BigInt(unused)) - 1n : randomBits(dirty, unused)
  return word(clean | (atLeft ? extra : extra << BigInt(used)))
}

const isDynamic = (type: ParamType): boolean => {
  if (type.isArray()) return type.arrayLength === -1 || isDynamic(type.arrayChildren)
  if (type.isTuple()) return type.components.some(isDynamic)
  return type.baseType === 'bytes' || type.baseType === 'string'
}

/** Encodes an offset or a length. Gas-optimized decoders read only its last four bytes. */
const encodeSize = (size: bigint, irregular: Irregular): string => {
  const dirty = irregular.get('dirty offsets')
  return word(dirty && oneIn(dirty, 3) ? size | (randomBits(dirty, 224) << 32n) : size)
}

const encodeBytes = (value: string, irregular: Irregular): string => {
  const content = value.slice(2)
  const missing = (64 - (content.length % 64)) % 64
  const padding = irregular.get('padding')
  const length = encodeSize(BigInt(content.length / 2), irregular)
  if (!padding) return length + content + '0'.repeat(missing)
  const filled = oneIn(padding, 3) ? '' : noise(padding, missing / 2)
  return length + content + filled
}

const encodeList = (types: readonly ParamType[], values: readonly unknown[], irregular: Irregular): string => {
  const encoded = types.map((type, at) => ({ at, type, bytes: encodeValue(type, values[at], irregular) }))
  const dynamic = encoded.filter(({ type }) => isDynamic(type))
  const order = irregular.get('tails in another order')
  const gaps = irregular.get('gaps')
  const share = irregular.get('shared tails')
  const headSize = encoded.reduce((sum, { type, bytes }) => sum + (isDynamic(type) ? 64 : bytes.length), 0)
  const offsets = new Map<number, bigint>()
  let tails = ''
  for (const { at, bytes } of order ? shuffled(order, dynamic) : dynamic) {
    const known = share ? tails.indexOf(bytes) : -1
    if (known >= 0 && known % 2 === 0) {
      offsets.set(at, BigInt((headSize + known) / 2))
      continue
    }
    if (gaps) tails += noise(gaps, pick(gaps, [1, 4, 31, 32, 64, 100]))
    offsets.set(at, BigInt((headSize + tails.length) / 2))
    tails += bytes
  }
  const heads = encoded.map(({ at, bytes }) => {
    const offset = offsets.get(at)
    return offset === undefined ? bytes : encodeSize(offset, irregular)
  })
  return heads.join('') + tails
}

const encodeValue = (type: ParamType, value: unknown, irregular: Irregular): string => {
  if (type.isTuple()) return encodeList(type.components, value as readonly unknown[], irregular)
  if (type.isArray()) {
    const items = value as readonly unknown[]
    const { arrayChildren, arrayLength } = type
    const list = encodeList(Array(items.length).fill(arrayChildren), items, irregular)
    return arrayLength === -1 ? encodeSize(BigInt(items.length), irregular) + list : list
  }
  if (type.baseType === 'bytes') return encodeBytes(String(value), irregular)
  if (type.baseType === 'string') return encodeBytes(hexlify(toUtf8Bytes(String(value))), irregular)
  return encodeWord(type, value, irregular)
}

const fragments = new Map<string, FunctionFragment>()
const fragmentOf = (signature: string): FunctionFragment => {
  const known = fragments.get(signature) ?? FunctionFragment.from(`function ${signature}`)
  fragments.set(signature, known)
  return known
}

/** Encodes values of these types, given as a list in brackets. */
export const encodeValues = (types: string, values: readonly unknown[], irregular = REGULAR): string =>
  `0x${encodeList(ParamType.from(`tuple${types}`).components ?? [], values, irregular)}`

/** Encodes the calldata of a function such as `approve(address,uint256)`. */
export const encodeCall = (signature: string, values: readonly unknown[], irregular: Irregular = REGULAR): string => {
  const { selector, inputs } = fragmentOf(signature)
  const data = selector + encodeList(inputs, values, irregular)
  const cut = irregular.get('cut zeros')
  if (cut) {
    const zeros = /(?:00)*$/.exec(data)?.[0].length ?? 0
    const most = Math.min(zeros, data.length - 2 - 2 * SELECTOR)
    return data.slice(0, data.length - 2 * (most > 0 ? 1 + cut(most / 2) : 0))
  }
  const tail = irregular.get('tail bytes')
  return tail ? data + (oneIn(tail, 2) ? '00'.repeat(1 + tail(64)) : noise(tail, 1 + tail(64))) : data
}
