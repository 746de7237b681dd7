/** What a failed call tells the person. */
import { CallError, CONNECTION_LOST } from './client.svelte.ts'
import { text } from './text.ts'

/** The background's own sentence, or ours where there is none. */
export const errorText = (error: unknown): string => {
  if (!(error instanceof CallError) || error.message === '') return text('somethingFailed')
  return error.code === CONNECTION_LOST ? text('connectionLost') : error.message
}
