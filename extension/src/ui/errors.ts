/** What a failed call tells the person. */
import { CANCELLED, CallError, CONNECTION_LOST } from './client.svelte.ts'
import { inLanguage } from './sentences.ts'
import { text } from './text.ts'
import { cutText, flatText } from './text-safety.ts'

/** JSON-RPC 2.0: an error that the background keeps to itself. */
const INTERNAL = -32603

/** Characters of a sentence: those of nodes and contracts stand in it, and have any length. */
const LONGEST = 300

/** The background's own sentence in the language of the page, or ours where it has none. Nothing of what the person gave up. */
export const errorText = (error: unknown): string => {
  if (!(error instanceof CallError) || error.code === INTERNAL) return text('somethingFailed')
  if (error.code === CANCELLED) return ''
  return error.code === CONNECTION_LOST ? text('connectionLost') : flatText(cutText(inLanguage(error.message), LONGEST))
}
