/** Runs `npm run bench`: measures the relay and the bridge in turns with a raw server, and prints a table of ratios. */
import { parseArgs } from 'node:util'
import { circumstances, type Measured, tableOf, writeInto } from './report.ts'
import { type Row, rows, type Sample } from './rows.ts'

const HELP = `npm run bench -- [flags]

  --rows w1,w5      rows to measure: ${Object.keys(rows).join(', ')} (default: all but w1k and w4m)
  --rounds 3        times that a row is measured, our server and the raw one in turns
  --seconds 3       length of one measurement
  --json            prints all measurements as JSON instead of the table
  --write FILE      puts the table into a document, too

Exits with 1 if a message was lost, altered, repeated or out of order.
`

const options = {
  help: { type: 'boolean' },
  rows: { type: 'string' },
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '3' },
  json: { type: 'boolean' },
  write: { type: 'string' },
} as const

const wholeNumber = (flag: string, text: string): number => {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`--${flag}: "${text}" must be a whole number from 1 to 9999`)
  return Number(text)
}

const chosenRows = (names: string | undefined): [name: string, row: Row][] => {
  if (names === undefined) return Object.entries(rows).filter(([, { isLong }]) => !isLong)
  return names.split(',').map(name => {
    const row = rows[name]
    if (!row) throw new Error(`--rows: "${name}" must be one of ${Object.keys(rows).join(', ')}`)
    return [name, row]
  })
}

const measure = async ([name, row]: [string, Row], rounds: number, seconds: number): Promise<Measured> => {
  const [ours, raw]: [Sample[], Sample[]] = [[], []]
  for (let round = 1; round <= (row.isOnce ? 1 : rounds); round++) {
    process.stderr.write(`${name}, round ${round}\n`)
    ours.push(await row.ours(seconds))
    if (row.raw) raw.push(await row.raw(seconds))
  }
  return { name, ours, raw }
}

/** Returns faults that the table does not show. A server may be fast because it loses messages. */
const faultsOf = ({ name, ours, raw }: Measured): string[] =>
  [...ours, ...raw]
    .filter(({ lost, wrong }) => lost !== 0 || wrong !== 0)
    .map(({ lost, wrong }) => `${name}: ${lost} messages lost, ${wrong} wrong`)

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  if (process.platform !== 'linux')
    throw new Error('this benchmark needs Linux: it reads processor time and memory from /proc')
  const [rounds, seconds] = [wholeNumber('rounds', values.rounds), wholeNumber('seconds', values.seconds)]
  const measured: Measured[] = []
  for (const row of chosenRows(values.rows)) measured.push(await measure(row, rounds, seconds))
  const report = `${circumstances(rounds, seconds)}\n\n${tableOf(rows, measured)}`
  process.stdout.write(`${values.json ? JSON.stringify(measured, null, 2) : report}\n`)
  const faults = measured.flatMap(faultsOf)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  if (values.write !== undefined) writeInto(values.write, report)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    process.stderr.write(`stopped by ${signal}\n`)
    process.exit(1)
  })
}
try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
