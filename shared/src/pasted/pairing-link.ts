/** Finds a pairing link, `wc:…`, in text as people paste it: inside a page's URL, encoded, in HTML, in a sentence. */
import { plainAmpersands, replaceInvisible } from './plain.ts'

/**
 * `wc:` and a topic, with a colon, slashes and @ that may be percent-encoded, even several times, as may be what stands before
 * it.
 */
const START = /(?:\b|(?<=%(?:25)*[\da-f]{2}))wc(?::|%(?:25)*3a)(?:\/\/|(?:%(?:25)*2f){2})?[\w-]+(?:@|%(?:25)*40)\d/i
/** A link from its start, up to a character that no link has. */
const LINK = /^(?:(?!["'`<>])[!-~])+/
const IS_ENCODED = /^wc%|^[^?]*%(?:25)*(?:3f|40)/i
/** What stands behind a link in a page's URL, a sentence, brackets or HTML. Lists of methods are in brackets too. */
const TRAILING = /#.*$|[^\w%\]]+$/s
const TRAILING_BRACKETS = /^([^[]*?)[^\w%]+$/
const MAX_ENCODINGS = 4
/** The longest link and what may stand before it; longer text is none. */
const MAX_LENGTH = 16_384
/** The parts without which a link of version 2 is of no use. */
const NEEDED = [/[?&]symKey=[0-9a-f]{64}(?:&|$)/i, /[?&]relay-protocol=\w/]

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A link that is encoded as a whole, as a parameter of a page's URL is, ends at the next parameter. */
const decoded = (link: string): string => {
  let text = link
  for (let round = 0; round < MAX_ENCODINGS && IS_ENCODED.test(text); round++)
    text = decode(text.replace(/[&#].*$/s, ''))
  return plainAmpersands(text)
}

const isComplete = (link: string | undefined): link is string =>
  link !== undefined && NEEDED.every(part => part.test(link))

/** The link at the start of a text. Of one that is partly encoded everything is decoded. */
const linkAt = (text: string): string => {
  const [found = ''] = LINK.exec(text) ?? []
  const link = plainAmpersands(found).replace(TRAILING, '').replace(TRAILING_BRACKETS, '$1')
  const readings = [decoded(link), plainAmpersands(decode(link))].map(reading => reading.replace(/^wc:/i, 'wc:'))
  return readings.find(isComplete) ?? readings[0] ?? ''
}

const linkIn = (text: string): string | undefined => {
  const at = text.search(START)
  return at < 0 ? undefined : linkAt(text.slice(at))
}

/** The link in the text, with `wc:` at its start; undefined if there is none. It is a secret, and has not been checked. */
export const findPairingLink = (pasted: string): string | undefined => {
  if (pasted.length > MAX_LENGTH) return undefined
  const text = replaceInvisible(pasted, '')
  const link = linkIn(text)
  if (isComplete(link)) return link
  // Mail programs break long lines.
  const joined = linkIn(text.replace(/\s+/g, ''))
  return isComplete(joined) ? joined : link
}
