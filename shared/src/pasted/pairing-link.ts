/** Finds a pairing link, `wc:…`, in text as people paste it: inside a page's URL, encoded, in HTML, in a sentence. */
import { replaceInvisible } from './plain.ts'

/** `wc:` and a topic, with a colon, slashes and @ that may be percent-encoded, even several times. */
const START = /\bwc(?::|%(?:25)*3a)(?:\/\/|(?:%(?:25)*2f){2})?[\w-]+(?:@|%(?:25)*40)\d/i
const IS_ENCODED = /^wc%|^[^?]*%(?:25)*(?:3f|40)/i
/** What stands behind a link in a sentence, in quotes, or in HTML. */
const TRAILING = /[.,;!)>]+$/
/** An ampersand as HTML, also twice, and JSON write it. */
const AMPERSAND = /&(?:amp;)+|&#0*38;|&#x0*26;|\\u0026/gi
const MAX_ENCODINGS = 3
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
  let text = IS_ENCODED.test(link) ? link.replace(/[&#].*$/s, '') : link
  for (let round = 0; round < MAX_ENCODINGS && IS_ENCODED.test(text); round++) text = decode(text)
  return text
}

/** The link in the text, up to a character that no link has. */
const linkIn = (text: string): string | undefined => {
  const at = text.search(START)
  if (at < 0) return undefined
  const [link = ''] = /^[^\s"'`<>“”„«»]+/.exec(text.slice(at)) ?? []
  return decoded(link.replaceAll(AMPERSAND, '&').replace(TRAILING, '')).replace(/^wc:/i, 'wc:')
}

const isComplete = (link: string | undefined): boolean => link !== undefined && NEEDED.every(part => part.test(link))

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
