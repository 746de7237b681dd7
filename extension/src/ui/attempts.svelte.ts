/** What a screen asks the background to do, and the error of the last of it, in the reader's language. */
import { errorText } from './errors.ts'

export type Attempts = {
  /** Empty while nothing has failed since the last attempt began. */
  readonly error: string
  /** Resolves with whether it was done. */
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
