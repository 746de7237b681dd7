/** Reviews a message to sign: text or bytes, sign-in claims and hidden characters. */
import { encodeData } from '@heliograph/shared/evm/hex'
import type { Effect, Finding } from '../../messages.ts'
import { hasHiddenCharacters, lenientText, readableText } from '../text/text.ts'
import { reviewSignIn, type SignInFacts } from './sign-in.ts'

export type Review = { effect: Effect; findings: Finding[] }
/** `foreign` is a site with another registrable domain to which the message signs in, or null. */
type MessageReview = Review & { effect: { kind: 'message' }; foreign: string | null }

/** Matches the hex digits of 32 bytes, which do not reveal what they stand for. */
const HASH = /^\s*(?:0x)?[\da-f]{64}\s*$/i

const notText = (bytes: number): Finding => ({ level: 'caution', name: 'notText', values: [String(bytes)] })

/** Reviews a message. `networkName` is the network's name in the signed prefix. */
export const reviewMessage = (message: Uint8Array, networkName: string, facts: SignInFacts): MessageReview => {
  const text = readableText(message)
  const shown = {
    kind: 'message',
    bytes: encodeData(message),
    text,
    signedAs: `${networkName} Signed Message`,
  } as const
  if (text === null) {
    // A lenient verifier may accept a sign-in with control characters, so unreadable text is reviewed as a sign-in too.
    const { findings, foreign } = reviewSignIn(lenientText(message), facts)
    return { effect: { ...shown, signIn: null }, findings: [...findings, notText(message.length)], foreign }
  }
  const { signIn, findings, foreign } = reviewSignIn(text, facts)
  const hidden: Finding[] = hasHiddenCharacters(text)
    ? [{ level: 'caution', name: 'hiddenCharacters', values: [] }]
    : []
  const hash: Finding[] = HASH.test(text) ? [{ level: 'caution', name: 'hashAsText', values: [] }] : []
  return { effect: { ...shown, signIn }, findings: [...findings, ...hidden, ...hash], foreign }
}
