/**
 * Marks found tokens and collections that are probably spam. Anyone can send a token with any name, and most unsolicited
 * ones lead to a site that takes the owner's assets. A mark only changes where a token is listed.
 */
import type { SpamMark } from '../../messages.ts'
import { nameSkeletonOf, skeletonOf } from '../text/confusables.ts'
import { imitated } from './imitations.ts'

/** Endings of the sites that spam advertises. Country codes, which have two letters, count too, if no space is around. */
const ENDINGS =
  'app|art|bet|bid|biz|cash|chat|claim|claims|click|cloud|club|com|company|date|day|dev|digital|domains|events|exchange' +
  '|finance|fit|foundation|fun|fund|fyi|games|gift|gifts|group|host|icu|info|ink|land|life|link|live|lol|ltd|market|media' +
  '|money|monster|net|network|new|news|now|one|online|ooo|org|page|party|pics|plus|pro|promo|quest|rest|review|rocks|run' +
  '|shop|site|social|space|store|support|team|tech|today|tools|top|trade|vip|watch|web|website|wiki|win|work|world|wtf|xyz|zone'
/** A dot, also if it is hidden from filters as ` .` or `[dot]`. A full stop after a word does not count. */
const DOT = '(?:\\.|\\s+\\.\\s*|\\s*[\\[({]\\s*(?:\\.|dot)\\s*[\\])}]\\s*)'
/** A host. Symbols such as `USDC.e` end with one letter, and are none. */
const HOST = new RegExp(`[a-z0-9-](?:${DOT}(?:${ENDINGS})|\\.[a-z]{2})(?![a-z0-9])`)
const LINK = /:\/\/|\bwww\b|\bt\.me\b/

/** Words that ask for an act, as they look without confusable letters. */
const OFFERS = new Set(
  [
    ...[
      'airdrop',
      'airdrops',
      'bonus',
      'bounty',
      'claim',
      'claims',
      'claimable',
      'eligible',
      'free',
      'freemint',
      'gift',
    ],
    ...['gifts', 'giveaway', 'invite', 'offer', 'prize', 'prizes', 'promo', 'redeem', 'reward', 'rewards', 'ticket'],
    ...['visit', 'voucher', 'vouchers', 'winner', 'winners', 'won'],
  ].map(skeletonOf),
)
/** A promised sum, such as `$ 5000`. */
const SUM = /[$€£¥]\s?\d/

/** Full stops of other scripts, which browsers accept in hosts. */
const STOPS = /[\u3002\uff0e\uff61\u2024\u00b7\u2022]/g
const INVISIBLE = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

/** Returns the name as a user reads it: without invisible characters, and in lower case. */
const readable = (name: string): string =>
  name.replace(INVISIBLE, '').replace(STOPS, '.').normalize('NFKC').toLowerCase()

const isOffer = (name: string): boolean => {
  const words = name.split(/[^\p{L}\p{M}\p{N}$]+/u)
  return SUM.test(name) || words.some(word => OFFERS.has(skeletonOf(word)))
}

/**
 * Returns why a token's symbol or a collection's name is probably spam: it has a site's address, asks to claim or visit
 * something, or imitates one of `known` (the coin and the listed tokens, without the token itself). Null if it is none.
 */
export const spamMarkOf = (name: string | null, known: readonly string[]): SpamMark | null => {
  if (name === null) return null
  const read = readable(name)
  if (LINK.test(read) || HOST.test(read)) return 'site'
  if (isOffer(read)) return 'offer'
  return nameSkeletonOf(name) !== '' && imitated(name, known) !== null ? 'imitation' : null
}
