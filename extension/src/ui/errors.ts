/** What a failed call tells the person. */
import { CallError, CONNECTION_LOST } from './client.svelte.ts'
import { text } from './text.ts'

/** JSON-RPC 2.0: an error that the background keeps to itself. */
const INTERNAL = -32603

/** The background's own sentence, or ours where it has none. */
export const errorText = (error: unknown): string => {
  if (!(error instanceof CallError) || error.code === INTERNAL) return text('somethingFailed')
  return error.code === CONNECTION_LOST ? text('connectionLost') : error.message
}
