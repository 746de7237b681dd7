/**
 * Runs `npm run simulate`: measures the costs of a relay and of Redis, compares simulated times with real ones at rates
 * that this machine can handle, and prints what larger numbers of wallets need, with simulated times at that size.
 */
import { parseArgs } from 'node:util'
import { circumstances, writeInto } from '../bench/report.ts'
import { randomFrom } from '../support/random.ts'
import { measureCosts, measureTimes } from './measure.ts'
import { ASSUMED, planFor, sum } from './plan.ts'
import { processors, simulate } from './simulation.ts'

const { values } = parseArgs({
  options: {
    wallets: { type: 'string', default: '1000000,100000000' },
    seconds: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    write: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
/**
 * Utilizations at which simulated and real times are compared, as parts of the processor that the relay and Redis
 * share.
 */
const COMPARED = [0.2, 0.4, 0.6]
/** Latency of the loopback interface, in seconds. */
const LOOPBACK = 0.00002
/** Maximum number of simulated messages. */
const MOST = 200_000

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
const number = (value: number): string => Number(value.toPrecision(3)).toLocaleString('en-US')
const milliseconds = ({ p50, p99 }: { p50: number; p99: number }): string =>
  `${number(p50 * 1000)} / ${number(p99 * 1000)} ms`
const gib = (bytes: number): string => `${number(bytes / 2 ** 30)} GiB`
const microseconds = (time: number): string => `${number(time * 1e6)} µs`
const percent = (part: number): string => `${Math.round(part * 100)} %`

const costs = await measureCosts()
const { message } = costs
const random = randomFrom(Number(values.seed))

const compare = async (part: number): Promise<string[]> => {
  const rate = Math.round(part / (sum(message.relay) + sum(message.primary)))
  const shared = processors(1)
  const options = { random, relays: shared, primaries: shared, rate, seconds, costs: message, network: LOOPBACK }
  const [simulated, real] = [simulate(options), await measureTimes(rate, seconds)]
  const times = [simulated.answer, real.answer, simulated.delivery, real.delivery].map(milliseconds)
  return [`${rate}/s`, percent(simulated.utilization.relay), percent(real.used), ...times]
}

const sizeOf = (wallets: number): string[] => {
  const need = planFor(wallets, costs)
  const { rate, limits } = need
  const window = Math.min(seconds, MOST / rate)
  const { network } = ASSUMED
  const { answer, delivery, utilization } = simulate({
    ...{ random, rate, seconds: window, costs: message, network },
    relays: processors(need.relays, need.relayLoad),
    primaries: processors(need.primaries),
  })
  return [
    ...[
      number(wallets),
      `${number(rate)}/s`,
      `${need.relays} (${limits.relays})`,
      `${need.primaries} (${limits.primaries})`,
    ],
    ...[gib(need.relayBytes), gib(need.redisBytes), `${number(need.bandwidth / 1e6)} Mbit/s`],
    ...[`${number(need.dollars)} $`, percent(utilization.relay), percent(utilization.primary)],
    ...[milliseconds(answer), milliseconds(delivery)],
  ]
}

const comparison: string[][] = []
for (const part of COMPARED) comparison.push(await compare(part))

const report = [
  circumstances(1, seconds),
  table(
    ['cost', 'relay', 'Redis'],
    [
      [
        'a message, from publish to acknowledgement',
        microseconds(sum(message.relay)),
        microseconds(sum(message.primary)),
      ],
      [
        'an open connection with one subscription',
        `${number(costs.connectionBytes)} B`,
        `${number(costs.subscriptionBytes)} B`,
      ],
      ['its processor time per second', microseconds(costs.connectionLoad), ''],
      ['a stored message of 300 bytes', '', `${number(costs.waitingBytes)} B`],
    ],
  ),
  'Simulated and real times, p50 / p99:',
  table(
    [
      'messages',
      'processor use, simulated',
      'processor use, real',
      'response, simulated',
      'response, real',
      'delivery, simulated',
      'delivery, real',
    ],
    comparison,
  ),
  'Connected wallets, and the simulated times of their busiest hour, p50 / p99:',
  table(
    [
      ...['wallets', 'messages', 'relays (limit)', 'primaries (limit)', 'memory of relays', 'memory of Redis'],
      ...['traffic of clients', 'cost per month', 'busiest relay', 'busiest primary', 'response', 'delivery'],
    ],
    values.wallets.split(',').map(Number).map(sizeOf),
  ),
].join('\n\n')
process.stdout.write(`${report}\n`)
if (values.write !== undefined) writeInto(values.write, report)
process.exit()
