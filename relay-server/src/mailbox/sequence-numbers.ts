/**
 * Lists of sequence numbers in order. Most of them are empty most of the time, and all empty ones are the same: whoever
 * has a list takes the one that is returned in its place.
 */

export const NO_NUMBERS: number[] = []
Object.freeze(NO_NUMBERS)

/** Index of the first of `items`, which lie in order, whose number is above `seq`. */
export const indexAfter = <T>(items: readonly T[], seq: number, numberOf: (item: T) => number): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && numberOf(item) <= seq) low = middle + 1
    else high = middle
  }
  return low
}

export const same = (seq: number): number => seq

export const hasNumber = (numbers: readonly number[], seq: number): boolean =>
  numbers.length > 0 && numbers[indexAfter(numbers, seq - 1, same)] === seq

/** The list with a number; it is mostly the last. */
export const withNumber = (numbers: number[], seq: number): number[] => {
  if (numbers.length === 0) return [seq]
  if ((numbers.at(-1) ?? 0) < seq) numbers.push(seq)
  else numbers.splice(indexAfter(numbers, seq, same), 0, seq)
  return numbers
}

/** The list without a number that it has; it is mostly the first. */
export const withoutNumber = (numbers: number[], seq: number): number[] => {
  if (numbers.length === 1) return NO_NUMBERS
  if (numbers[0] === seq) numbers.shift()
  else numbers.splice(indexAfter(numbers, seq - 1, same), 1)
  return numbers
}
