/** What signing a message means: the text or the bytes, and what a reader would miss in them. */
import { fromBytes } from '@heliograph/shared/evm/hex'
import type { Effect, Finding } from '../../messages.ts'
import { hasHiddenCharacters, readableText } from './text.ts'

export type Review = { effect: Effect; findings: Finding[] }

const notText: Finding = {
  level: 'caution',
  title: 'This message cannot be read',
  text: 'It is data, not text. Only sign it if you know what the site does with it.',
}

const hiddenCharacters: Finding = {
  level: 'caution',
  title: 'Hidden characters',
  text: 'The text holds characters that are normally invisible. They are drawn here as codes.',
}

/** `networkName` is the one that the signature will carry in its prefix. */
export const reviewMessage = (message: Uint8Array, networkName: string): Review => {
  const text = readableText(message)
  const findings = text === null ? [notText] : hasHiddenCharacters(text) ? [hiddenCharacters] : []
  const signedAs = `${networkName} Signed Message`
  return { effect: { kind: 'message', bytes: fromBytes(message), text, signedAs }, findings }
}
