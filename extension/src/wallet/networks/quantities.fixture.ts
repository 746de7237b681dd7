/** Numbers in the forms that nodes use. */

/** Spellings of a number that BigInt accepts. */
export const spellings: Readonly<Record<string, (value: bigint) => unknown>> = {
  'a leading zero': value => `0x0${value.toString(16)}`,
  'a whole word': value => `0x${value.toString(16).padStart(64, '0')}`,
  'upper case': value => `0X${value.toString(16).toUpperCase()}`,
  'decimal text': value => String(value),
  'surrounding spaces': value => ` 0x${value.toString(16)}\n`,
  // Larger values stay hex, because JSON numbers would lose digits.
  'a JSON number': value => (value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : `0x${value.toString(16)}`),
}

/** Values that are not numbers. */
export const unreadable: Readonly<Record<string, unknown>> = {
  'a word': 'lots',
  'nothing after 0x': '0x',
  'a number that lost digits': 2 ** 53,
  'an object': { value: '0x1' },
}
