/** What signing a message means: the text or the bytes, and what a reader would miss in them. */
import { fromBytes } from '@heliograph/shared/evm/hex'
import type { Effect, Finding } from '../../messages.ts'
import { reviewSignIn, type SignInFacts } from './sign-in.ts'
import { hasHiddenCharacters, lenientText, readableText } from './text.ts'

export type Review = { effect: Effect; findings: Finding[] }
/** `foreign` is the other site that the message signs in to, if it is one of another registrable domain. */
type MessageReview = Review & { effect: { kind: 'message' }; foreign: string | null }

const notText = (bytes: number): Finding => ({ level: 'caution', name: 'notText', values: [String(bytes)] })

/** `networkName` is the one that the signature will carry in its prefix. */
export const reviewMessage = (message: Uint8Array, networkName: string, facts: SignInFacts): MessageReview => {
  const text = readableText(message)
  const shown = { kind: 'message', bytes: fromBytes(message), text, signedAs: `${networkName} Signed Message` } as const
  if (text === null) {
    // A sign-in with a control character in it is one all the same to whoever checks it leniently.
    const { findings, foreign } = reviewSignIn(lenientText(message), facts)
    return { effect: { ...shown, signIn: null }, findings: [...findings, notText(message.length)], foreign }
  }
  const { signIn, findings, foreign } = reviewSignIn(text, facts)
  const hidden: Finding[] = hasHiddenCharacters(text)
    ? [{ level: 'caution', name: 'hiddenCharacters', values: [] }]
    : []
  return { effect: { ...shown, signIn }, findings: [...findings, ...hidden], foreign }
}
