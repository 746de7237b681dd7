/** Finds a pairing link in pasted text, and recognizes common mistakes without calling the background. */
import { readPastedAddress } from '@heliograph/shared/pasted/address'
import { looksLikePhrase } from '@heliograph/shared/pasted/looks-like-phrase'
import { findPairingLink } from '@heliograph/shared/pasted/pairing-link'
import { isAddress } from '../format/address.ts'
import type { TextKey } from '../format/text.ts'

/** Common mistakes. The first match determines the text. */
const MISTAKES: readonly [isMade: (link: string) => boolean, key: TextKey][] = [
  [looksLikePhrase, 'linkIsPhrase'],
  [link => /^(?:0x)?[\da-f]{64}$/i.test(link), 'linkIsKey'],
  [link => isAddress(readPastedAddress(link).address), 'linkIsAddress'],
  [link => /^wc:[^@?]*@1\b/.test(link), 'linkIsVersion1'],
  [link => /^wss?:\/\//i.test(link), 'linkIsRelay'],
  [link => /^https?:\/\//i.test(link), 'linkIsPage'],
]

/** Returns the link in the pasted text, or the text itself, which may be a link in base64. */
export const findLink = (pasted: string): string => findPairingLink(pasted) ?? pasted.trim()

/** Returns the mistake in the pasted text; null if it may be a link. */
export const mistakeIn = (pasted: string): TextKey | null => {
  const link = findLink(pasted)
  return MISTAKES.find(([isMade]) => isMade(link))?.[1] ?? null
}

const LINK = /^wc:[^@?\s]+@2\?\S+$/

/** Returns the link in the pasted text; empty if there is none. */
export const linkIn = (pasted: string): string => {
  const link = findLink(pasted)
  return LINK.test(link) ? link : ''
}
