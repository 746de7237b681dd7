/** Finds a pairing link, `wc:…`, in pasted text: inside a page's URL, percent-encoded, in HTML, or in a sentence. */
import { plainAmpersands, replaceInvisible } from './plain.ts'

/**
 * `wc:` and a topic. The colon, slashes and @, and the character before the link, may be percent-encoded, even several
 * times.
 */
const START = /(?:\b|(?<=%(?:25)*[\da-f]{2}))wc(?::|%(?:25)*3a)(?:\/\/|(?:%(?:25)*2f){2})?[\w-]+(?:@|%(?:25)*40)\d/i
/** A link from its start up to the first character that no link has. */
const LINK = /^(?:(?!["'`<>])[!-~])+/
const IS_ENCODED = /^wc%|^[^?]*%(?:25)*(?:3f|40)/i
/**
 * Text after a link in a page's URL, a sentence, brackets or HTML. A link's own lists of methods are in brackets too.
 */
const TRAILING = /#.*$|[^\w%\]]+$/s
const TRAILING_BRACKETS = /^([^[]*?)[^\w%]+$/
const MAX_ENCODINGS = 4
/** Maximum length in characters of text that is searched: a long link and the text around it. */
const MAX_LENGTH = 16_384
/** Parts that every link of version 2 needs. */
const NEEDED = [/[?&]symKey=[0-9a-f]{64}(?:&|$)/i, /[?&]relay-protocol=\w/]

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Decodes a link. If all of it is encoded, as in a parameter of a page's URL, it ends at the next parameter. */
const decoded = (link: string): string => {
  let text = link
  for (let round = 0; round < MAX_ENCODINGS && IS_ENCODED.test(text); round++)
    text = decode(text.replace(/[&#].*$/s, ''))
  return plainAmpersands(text)
}

const isComplete = (link: string | undefined): link is string =>
  link !== undefined && NEEDED.every(part => part.test(link))

/** Returns the link at the start of a text. If only a part of it is encoded, all of it is decoded. */
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

/** Returns the link in the text, starting with `wc:`, or undefined. The link is a secret and has not been validated. */
export const findPairingLink = (pasted: string): string | undefined => {
  if (pasted.length > MAX_LENGTH) return undefined
  const text = replaceInvisible(pasted, '')
  const link = linkIn(text)
  if (isComplete(link)) return link
  // Mail programs break long lines, so the parts of the link are joined.
  const joined = linkIn(text.replace(/\s+/g, ''))
  return isComplete(joined) ? joined : link
}
