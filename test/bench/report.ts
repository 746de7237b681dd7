/** Formats the measurements as a table with medians, ratios and limits. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Figure, Row, Sample } from './rows.ts'

/** The samples of one row, by round. `raw` is empty if there is no raw server to compare with. */
export type Measured = { name: string; ours: readonly Sample[]; raw: readonly Sample[] }

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

export const written = (value: number, unit: string): string =>
  `${value >= 100 ? Math.round(value).toLocaleString('en-US') : Number(value.toPrecision(3))} ${unit}`.trim()

/**
 * Formats a figure. The ratio is computed within each round, because the machine's speed varies between rounds, and the
 * result is the median of the rounds.
 */
const cellsOf = ({ what, key, unit = '', isRatio, floor, goal }: Figure, { name, ours, raw }: Measured): string[] => {
  const valuesOf = (samples: readonly Sample[]) => samples.map(sample => sample[key] ?? Number.NaN)
  const [own, others] = [valuesOf(ours), valuesOf(raw)]
  const result = isRatio ? own.map((value, round) => value / (others[round] ?? Number.NaN)) : own
  const measure = isRatio ? '×' : unit
  const sign = floor !== undefined && goal !== undefined && goal > floor ? '≥' : '≤'
  const bound = (value: number | undefined) => (value === undefined ? '' : `${sign} ${written(value, measure)}`)
  const rawCell = isRatio ? written(median(others), unit) : ''
  const cells = [written(median(own), unit), rawCell, written(median(result), measure)]
  return [name, what, ...cells, bound(floor), bound(goal)]
}

const HEAD = ['row', 'what', 'ours', 'raw server', 'result', 'floor', 'goal']

/** Returns a Markdown table with aligned columns. */
export const tableOf = (rows: Readonly<Record<string, Row>>, measured: readonly Measured[]): string => {
  const body = measured.flatMap(row => rows[row.name]?.figures.map(figure => cellsOf(figure, row)) ?? [])
  const widths = HEAD.map((_, column) => Math.max(...[HEAD, ...body].map(row => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [HEAD, widths.map(width => '-'.repeat(width)), ...body].map(line).join('\n')
}

/** Returns the date, the machine and the rounds of the measurement. */
export const circumstances = (rounds: number, seconds: number): string => {
  const date = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${date}, ${machine}, Node ${process.versions.node}. Median of ${rounds} × ${seconds} s.`
}

const BEGIN = '<!-- begin of the measurement -->'
const END = '<!-- end of the measurement -->'

/** Replaces the previous measurement in a document. Throws if the document has no place for one. */
export const writeInto = (path: string, measurement: string): void => {
  const document = readFileSync(path, 'utf8')
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)]
  if (begin === -1 || end < begin) throw new Error(`${path} has no place for a measurement: ${BEGIN} … ${END}`)
  writeFileSync(path, `${document.slice(0, begin + BEGIN.length)}\n\n${measurement}\n\n${document.slice(end)}`)
}
