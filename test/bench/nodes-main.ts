/**
 * Runs `npm run bench:nodes`: measures relays on one Redis server and on a cluster, one relay with its own store, and
 * NATS JetStream, in turns under the same load. Prints processor time and ratios. `--only` measures one of them.
 */
import { parseArgs } from 'node:util'
import { names as all, withRunning } from './clusters.ts'
import { generate } from './generate.ts'
import { circumstances, median, written } from './report.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string' },
  },
})
const names = values.only === undefined ? all : [values.only]
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]

/** 200 topics, each with a writer and a reader on different relays, and 4 messages in flight between them. */
const LOAD = { channels: 200, subscribers: 1, window: 4, seconds }
const MICROSECONDS = 1e6

type Sample = { perCore: number; perSecond: number; relays: number; store: number }

const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0)

const measure = (name: string): Promise<Sample> =>
  withRunning(name, async ({ target, relays }) => {
    const { lost, wrong, perCore, perSecond, cpus } = await generate('load', target, LOAD)
    if (lost + wrong > 0) throw new Error(`${name}: ${lost} messages lost, ${wrong} wrong`)
    const times = cpus.map(cpu => cpu * MICROSECONDS)
    return { perCore, perSecond, relays: sum(times.slice(0, relays)), store: sum(times.slice(relays)) }
  })

const samples = new Map<string, Sample[]>(names.map(name => [name, []]))
for (let round = 1; round <= rounds; round++) {
  for (const name of names) {
    process.stderr.write(`${name}, round ${round}\n`)
    samples.get(name)?.push(await measure(name))
  }
}

const figure = (name: string, key: keyof Sample): number => median((samples.get(name) ?? []).map(one => one[key]))
/** Returns the median of the rounds' ratios. */
const ratio = (name: string, other: string): number => {
  const others = samples.get(other) ?? []
  return median((samples.get(name) ?? []).map(({ perCore }, round) => perCore / (others[round]?.perCore ?? Number.NaN)))
}
const [local = '', jetStream = ''] = [all[0], all.at(-1)]
const head = [
  ...['', 'messages/s', 'messages/s per core', '× local store', '× JetStream'],
  ...['relays, µs per message', 'store, µs per message'],
]
const rows = names.map(name => [
  name,
  written(figure(name, 'perSecond'), ''),
  written(figure(name, 'perCore'), ''),
  written(ratio(name, local), ''),
  written(ratio(name, jetStream), ''),
  written(figure(name, 'relays'), ''),
  written(figure(name, 'store'), ''),
])
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const report = [circumstances(rounds, seconds), '', ...[head, head.map(() => '---'), ...rows].map(line)].join('\n')
process.stdout.write(`${report}\n`)
process.exit()
