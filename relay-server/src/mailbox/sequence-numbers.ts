/**
 * Sorted lists of sequence numbers. Most are empty and share one empty array, so functions return the list to store
 * instead of changing it in place.
 */

export const NO_NUMBERS: number[] = []
Object.freeze(NO_NUMBERS)

/** Returns the index of the first item with a number above `seq`. `items` must be sorted. */
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

/** Adds a number, usually the highest. */
export const withNumber = (numbers: number[], seq: number): number[] => {
  if (numbers.length === 0) return [seq]
  if ((numbers.at(-1) ?? 0) < seq) numbers.push(seq)
  else numbers.splice(indexAfter(numbers, seq, same), 0, seq)
  return numbers
}

/** Removes a number that is in the list, usually the first. */
export const withoutNumber = (numbers: number[], seq: number): number[] => {
  if (numbers.length === 1) return NO_NUMBERS
  if (numbers[0] === seq) numbers.shift()
  else numbers.splice(indexAfter(numbers, seq - 1, same), 1)
  return numbers
}
