/** Splits typed and pasted recovery phrases. The background validates them. */

/** The phrase lengths of BIP-39, in words. */
export const PHRASE_LENGTHS = [12, 15, 18, 21, 24] as const
export type PhraseLength = (typeof PHRASE_LENGTHS)[number]

export const isPhraseLength = (count: number): count is PhraseLength => PHRASE_LENGTHS.some(length => length === count)

/** The words of a text in any script, in lower case, without list numbers and punctuation ("1. ozone"). */
export const splitWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .match(/[\p{L}\p{M}]+/gu) ?? []

/** `count` different random positions below `length`, sorted. */
export const pickPlaces = (length: number, count: number): number[] => {
  const places = Array.from({ length }, (_, place) => place)
  const keys = crypto.getRandomValues(new Uint32Array(length))
  return places
    .toSorted((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0))
    .slice(0, count)
    .toSorted((one, other) => one - other)
}
