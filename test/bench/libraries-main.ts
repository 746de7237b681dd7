/**
 * Runs `npm run bench:libraries`: compares @heliograph/evm with viem, ethers and micro-eth-signer, in speed and in
 * size.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Line, measureSizes, measureTimes, project } from './libraries/measure.ts'
import { checkResults, LIBRARIES, type LibraryName, tasksWith } from './libraries/tasks.ts'
import { circumstances, writeInto, written } from './report.ts'

const HELP = `npm run bench:libraries -- [flags]

  --rounds 5        times that a task is measured, the libraries in turns
  --seconds 0.5     length of one measurement
  --write FILE      puts the tables into a document, too

First compares the results: ends with 1 if the libraries disagree.
`

const options = {
  help: { type: 'boolean' },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '0.5' },
  write: { type: 'string' },
} as const

const positive = (flag: string, text: string): number => {
  const value = Number(text)
  if (!(value > 0 && value <= 100)) throw new Error(`--${flag}: "${text}" must be a number above 0, at most 100`)
  return value
}

const [OURS, ...OTHERS] = LIBRARIES

/** Formats a table: @heliograph/evm's figure with its unit, and the other libraries' figures as multiples of it. */
const tableOf = (what: string, unit: string, lines: readonly Line[], shown: (figure: number) => number): string => {
  const cellsOf = ({ title, figures }: Line) => {
    const ours = figures[OURS] ?? Number.NaN
    const ratio = (name: LibraryName) => {
      const figure = figures[name]
      return figure === undefined ? '' : written(figure / ours, '×')
    }
    return [title, written(shown(ours), unit), ...OTHERS.map(ratio)]
  }
  const head = [what, '@heliograph/evm', ...OTHERS]
  const rows = [head, head.map(() => '---'), ...lines.map(cellsOf)]
  return rows.map(row => `| ${row.join(' | ')} |`).join('\n')
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  const [rounds, seconds] = [positive('rounds', values.rounds), positive('seconds', values.seconds)]
  const folder = await project()
  const tasks = tasksWith(await import(join(folder, 'node_modules/@heliograph/evm/dist/index.js')))
  await checkResults(tasks)
  const times = tableOf('processor time', 'µs', await measureTimes(tasks, rounds, seconds), time => time)
  const sizes = tableOf('bundle, minified and gzipped', 'KiB', await measureSizes(folder), bytes => bytes / 1024)
  await rm(folder, { recursive: true })
  const report = `${circumstances(rounds, seconds)}\n\n${times}\n\n${sizes}`
  process.stdout.write(`${report}\n`)
  if (values.write !== undefined) writeInto(values.write, report)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
