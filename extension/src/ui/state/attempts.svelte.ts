/** Runs a screen's calls to the background and holds the error of the last one, in the user's language. */
import { errorText } from './errors.ts'

export type Attempts = {
  /** The error of the last attempt, or empty. */
  readonly error: string
  /** Resolves to true on success and to false on an error. */
  act(doing: Promise<unknown>): Promise<boolean>
}

export const createAttempts = (): Attempts => {
  let error = $state('')
  return {
    get error() {
      return error
    },
    act: async doing => {
      error = ''
      try {
        await doing
        return true
      } catch (failure) {
        error = errorText(failure)
        return false
      }
    },
  }
}
