/** Formats the time that each part of a test run took as a table. A part is a vitest project. */

/** A finished test file. `start` and `end` are in milliseconds since the same arbitrary moment. */
export type FileTime = { part: string; tests: number; start: number; end: number }

const inSeconds = (ms: number): string => `${Math.round(ms / 1000)} s`

const rowOf = (title: string, files: readonly FileTime[]): string[] => {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  const start = Math.min(...files.map(file => file.start))
  const end = Math.max(...files.map(file => file.end))
  return [
    title,
    inSeconds(end - start),
    `${files.length}`,
    `${sum(files.map(({ tests }) => tests))}`,
    inSeconds(sum(files.map(file => file.end - file.start))),
  ]
}

/**
 * Returns a row for each part, ordered by first file, and a row for all. A row has the time from the start of the
 * part's first file to the end of its last, its files and tests, and the sum of its files' times. The sum is larger if
 * files run in parallel.
 */
export const partTimes = (files: readonly FileTime[]): string => {
  const parts = new Set(files.map(({ part }) => part))
  const rows = [
    ['part', 'time', 'files', 'tests', 'sum of files'],
    ...[...parts].map(title =>
      rowOf(
        title,
        files.filter(({ part }) => part === title),
      ),
    ),
    rowOf('all', files),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? []
  const line = ([title = '', ...cells]: readonly string[]) =>
    [title.padEnd(widths[0] ?? 0), ...cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0))].join('  ')
  return rows.map(line).join('\n')
}
