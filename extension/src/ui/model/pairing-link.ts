/** Finds a pairing link in pasted text, and recognises common mistakes before the wallet is asked. */
import { parseUrl } from '@heliograph/shared/url'
import type { TextKey } from '../format/text.ts'

const WORDS = /^\s*(?:\p{L}+\s+){11,}\p{L}+\s*$/u

/** The first pattern that matches decides. */
const MISTAKES: readonly [form: RegExp, key: TextKey][] = [
  [WORDS, 'linkIsPhrase'],
  [/^(?:0x)?[\da-f]{64}$/i, 'linkIsKey'],
  [/^0x[\da-f]{40}$/i, 'linkIsAddress'],
  [/^wc:[^@?]*@1\b/, 'linkIsVersion1'],
  [/^wss?:\/\//i, 'linkIsRelay'],
  [/^https?:\/\//i, 'linkIsPage'],
]

/** The link in the pasted text. Some apps wrap it in a page's URL, `https://…?uri=wc%3A…`. */
export const findLink = (pasted: string): string => {
  const text = pasted.trim()
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || text.startsWith('wc:')) return text
  const inside = parseUrl(text)?.searchParams.get('uri')
  return inside?.startsWith('wc:') ? inside : text
}

/** The mistake in the pasted text; null if it may be a link. */
export const mistakeIn = (pasted: string): TextKey | null => {
  const link = findLink(pasted)
  return MISTAKES.find(([form]) => form.test(link))?.[1] ?? null
}

const LINK = /^wc:[^@?\s]+@2\?\S+$/

/** The link in the pasted text; empty if there is none. */
export const linkIn = (pasted: string): string => {
  const link = findLink(pasted)
  return LINK.test(link) ? link : ''
}
