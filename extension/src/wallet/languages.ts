/**
 * The languages of BIP-39 beside English, whose list is part of the wallet's script.
 * https://github.com/bitcoin/bips/blob/master/bip-0039/bip-0039-wordlists.md
 */
export const LANGUAGES = [
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
