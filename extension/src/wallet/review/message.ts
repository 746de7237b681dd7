/** What signing a message means: the text or the bytes, and what a reader would miss in them. */
import { fromBytes } from '@heliograph/shared/evm/hex'
import type { Effect, Finding } from '../../messages.ts'
import { hasHiddenCharacters, readableText } from './text.ts'

export type Review = { effect: Effect; findings: Finding[] }

const findingsIn = (text: string | null, bytes: number): Finding[] => {
  if (text === null) return [{ level: 'caution', name: 'notText', values: [String(bytes)] }]
  return hasHiddenCharacters(text) ? [{ level: 'caution', name: 'hiddenCharacters', values: [] }] : []
}

/** `networkName` is the one that the signature will carry in its prefix. */
export const reviewMessage = (message: Uint8Array, networkName: string): Review => {
  const text = readableText(message)
  const signedAs = `${networkName} Signed Message`
  return {
    effect: { kind: 'message', bytes: fromBytes(message), text, signedAs },
    findings: findingsIn(text, message.length),
  }
}
