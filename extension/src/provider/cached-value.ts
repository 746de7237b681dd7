/** Cached wallet values of a page, such as its chain and accounts, updated while the page lives. */

import { awaitable, stringify } from './captured.ts'
import { toPlain } from './plain.ts'

/** A cached value; undefined until known. */
export type CachedValue<T> = {
  readonly value: T | undefined
  /** Sets a value that arrived in an event. */
  learn(value: T): void
  /** Reads the value from the wallet. A value learned meanwhile is newer and takes precedence. */
  ask(): Promise<void>
}

const isSame = (one: unknown, other: unknown) => stringify(toPlain(one)) === stringify(toPlain(other))

/** Calls `onChange` with changed values, but not with the first one. Compares values as JSON. */
export const createCachedValue = <T>(read: () => Promise<T>, onChange: (value: T) => void): CachedValue<T> => {
  let known: T | undefined
  let timesTold = 0

  return {
    get value() {
      return known
    },
    learn: value => {
      timesTold++
      const changes = !isSame(known, value)
      known = value
      if (changes) onChange(value)
    },
    ask: async () => {
      const asked = timesTold
      const value = await awaitable(read())
      if (asked !== timesTold) return
      const changes = known !== undefined && !isSame(known, value)
      known = value
      if (changes) onChange(value)
    },
  }
}
