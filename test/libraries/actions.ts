/** Actions that a site performs with a wallet through a library, by name, and the responses as JSON. */

export type Actions = Readonly<Record<string, () => Promise<unknown>>>

export type Answer = { state: 'result' | 'error'; value: unknown }

type Failure = { code?: unknown; name?: unknown; message?: unknown; cause?: unknown; error?: unknown }

/** Converts a value to JSON. Bigints become decimal strings, because JSON has no bigints. */
export const toText = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, member) => (typeof member === 'bigint' ? String(member) : member))

/** Describes the library's error and the wallet's error inside it. */
const describe = (failure: unknown): unknown => {
  const { code, name, message, cause, error = cause } = failure as Failure
  return { code, name, message, ...(error !== undefined && { cause: describe(error) }) }
}

export const answerOf = (act: () => Promise<unknown>): Promise<Answer> =>
  act().then(
    value => ({ state: 'result', value }),
    error => ({ state: 'error', value: describe(error) }),
  )
