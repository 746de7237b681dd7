/**
 * Languages that have a BIP-39 word list. New phrases are in English.
 * https://github.com/bitcoin/bips/blob/master/bip-0039/bip-0039-wordlists.md
 */
export const LANGUAGES = [
  'english',
  'simplified-chinese',
  'traditional-chinese',
  'czech',
  'french',
  'italian',
  'japanese',
  'korean',
  'portuguese',
  'spanish',
] as const
export type Language = (typeof LANGUAGES)[number]
