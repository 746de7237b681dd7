/** Recent values of some figures at regular intervals, for charts. */

/** Oldest value first. Missed steps are null. */
export type SeriesReport<Name extends string> = {
  /** Unix time of the last values, and the interval, both in milliseconds. */
  until: number
  step: number
  values: Readonly<Record<Name, readonly (number | null)[]>>
}

export type Series<Name extends string> = {
  /** True if the next values are due. */
  isDue: (time: number) => boolean
  add: (time: number, values: Readonly<Record<Name, number | undefined>>) => void
  report: () => SeriesReport<Name>
}

const DIGITS = 10

/** Rounds to tenths, which is precise enough for a chart. */
const rounded = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(value * DIGITS) / DIGITS

/** Keeps the last `size` values of each figure. Steps missed while the process was suspended have no values. */
export const createSeries = <Name extends string>(
  names: readonly Name[],
  { step, size, startedAt }: { step: number; size: number; startedAt: number },
): Series<Name> => {
  const values = Object.fromEntries(names.map(name => [name, []])) as unknown as Record<Name, (number | null)[]>
  let until = startedAt

  const push = (name: Name, value: number | null): void => {
    values[name].push(value)
    if (values[name].length > size) values[name].shift()
  }

  return {
    isDue: time => time >= until + step,
    add: (time, added) => {
      const missed = Math.min(Math.floor((time - until) / step) - 1, size)
      for (const name of names) {
        for (let index = 0; index < missed; index++) push(name, null)
        push(name, rounded(added[name]))
      }
      until = time
    },
    report: () => ({ until, step, values }),
  }
}
