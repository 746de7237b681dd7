/** Random numbers for generated tests, reproducible from a seed. */

/** Returns an integer from 0 to `bound` - 1. */
export type Random = (bound: number) => number

/** Returns a generator of random numbers from a 32-bit seed: mulberry32. */
export const randomFrom = (seed: number): Random => {
  let state = seed
  return bound => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
}

export const pick = <T>(random: Random, items: readonly T[]): T => {
  const item = items[random(items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

/** True with a probability of 1 / `times`. */
export const oneIn = (random: Random, times: number): boolean => random(times) === 0

/** Returns a random integer of `bits` bits. */
export const randomBits = (random: Random, bits: number): bigint => {
  let value = 0n
  for (let at = 0; at < bits; at += 16) value = (value << 16n) | BigInt(random(0x10000))
  return BigInt.asUintN(bits, value)
}

export const shuffled = <T>(random: Random, items: readonly T[]): T[] =>
  items
    .map(item => ({ item, at: random(2 ** 30) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
