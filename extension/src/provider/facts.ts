/** What a page knows of the wallet, such as its chain and accounts, kept up to date while the page lives. */

import { awaitable, stringify } from './captured.ts'
import { toPlain } from './plain.ts'

/** A value as it was last heard of; undefined until then. */
export type Fact<T> = {
  readonly value: T | undefined
  /** Takes a value that was told. */
  learn(value: T): void
  /** Reads the value. What is told while the answer is on its way is newer than the answer. */
  ask(): Promise<void>
}

const isSame = (one: unknown, other: unknown) => stringify(toPlain(one)) === stringify(toPlain(other))

/** `onChange` hears of each other value; what is read first changes nothing. Values are compared as JSON. */
export const createFact = <T>(read: () => Promise<T>, onChange: (value: T) => void): Fact<T> => {
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
