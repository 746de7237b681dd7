/**
 * Runs `npm run bench:abuse`: one attacker and 200 honest pairs on one relay, configured as in docs/self-hosting.md,
 * behind `deploy/nftables.conf`. Prints a table. Uses loopback only, on Linux. `npm run bench:abuse-bare` omits the
 * firewall.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { pin } from '../bench/machine.ts'
import { type Strategy, strategies } from './attacks.ts'
import { type Result, type Role, runAbuse } from './bench.ts'

const HELP = `npm run bench:abuse -- [flags]

  --only fan-in,malformed   strategies: ${strategies.join(', ')} (default: all)
  --pairs 200               honest pairs
  --seconds 20              length of the quiet time and of an attack
  --burst 4000              address-burst of the relay
  --port 5555               port of the relay; the attacker's own server uses the next port. Only 5555 and 5556 are
                            behind the firewall (default without it: 0, which picks free ports)

Exits with 1 if honest clients notice more of an attack, or the attacker uses more of a limit, than is promised.
`

/** address-burst of a public relay in docs/self-hosting.md. */
const GUIDE_BURST = 4000

/** Promised limits; see docs/security-testing.md. */
const LEAST_SUCCESS = 0.99
const MOST_SLOWER = 2
const MOST_MOVED = 0.01
const MOST_RESTART = 3
const MEMORY = 1024 ** 3
const MOST_MEMORY = 0.8 * MEMORY
/** The heap size that docs/self-hosting.md recommends for a machine with 1 GiB. */
const HEAP = '--max-old-space-size=256'

const percent = (part: number): string => `${(part * 100).toFixed(2)} %`
const ms = (time: number): string => `${time.toFixed(1)} ms`

/**
 * The relay has its own processor. The honest clients use the other one, and the attacker uses only its idle time
 * (SCHED_IDLE of sched(7)), so that the relay is measured and not the attacker's machine.
 */
const place = (pid: number | undefined, role: Role): void => {
  pin(pid, role === 'relay' ? 'server' : 'load')
  if (role === 'attacker') spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', `${pid}`])
}

const faultsOf = ({ strategy, quiet, attacked, moved, bound, restart, resident }: Result): string[] =>
  [
    attacked.success < LEAST_SUCCESS && `${percent(attacked.success)} of the honest messages arrived`,
    attacked.p99 > MOST_SLOWER * quiet.p99 && `p99 went from ${ms(quiet.p99)} to ${ms(attacked.p99)}`,
    moved > MOST_MOVED && `the use of ${bound} grew by ${percent(moved)}`,
    restart !== undefined && restart > MOST_RESTART && `the restart took ${restart.toFixed(1)} s`,
    resident > MOST_MEMORY && `${Math.round(resident / 1024 ** 2)} MiB resident`,
  ].flatMap(fault => (fault ? [`${strategy}: ${fault}`] : []))

const rowOf = ({ strategy, quiet, attacked, moved, bound, restart, resident, turn }: Result): string =>
  `| ${[
    strategy,
    percent(attacked.success),
    `${ms(quiet.p50)} / ${ms(quiet.p99)}`,
    `${ms(attacked.p50)} / ${ms(attacked.p99)}`,
    `${(attacked.p99 / quiet.p99).toFixed(2)} ×`,
    ms(turn),
    `${percent(moved)} (${bound})`,
    restart === undefined ? '' : `${restart.toFixed(1)} s`,
    `${Math.round(resident / 1024 ** 2)} MiB`,
  ].join(' | ')} |`

const HEAD = [
  '| strategy | honest success | quiet p50 / p99 | attacked p50 / p99 | p99 ratio | longest turn | largest use of a limit | restart | resident |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
]

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean' },
      only: { type: 'string' },
      pairs: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '20' },
      burst: { type: 'string', default: `${GUIDE_BURST}` },
      port: { type: 'string', default: '0' },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  if (process.platform !== 'linux')
    throw new Error('this benchmark needs Linux: the attacker uses its own loopback address')
  const chosen = values.only?.split(',') ?? strategies
  const unknown = chosen.find(name => !strategies.some(strategy => strategy === name))
  if (unknown !== undefined) throw new Error(`--only: "${unknown}" must be one of ${strategies.join(', ')}`)
  process.env.NODE_OPTIONS = HEAP
  const results = await runAbuse({
    strategies: chosen as Strategy[],
    pairs: Number(values.pairs),
    port: Number(values.port),
    burst: Number(values.burst),
    quiet: Number(values.seconds) * 1000,
    length: Number(values.seconds) * 1000,
    every: 500,
    patience: 5000,
    isEachRestarted: true,
    place,
    onProgress: line => process.stderr.write(`${line}\n`),
  })
  process.stdout.write(`${[...HEAD, ...results.map(rowOf)].join('\n')}\n`)
  const faults = results.flatMap(faultsOf)
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

try {
  await main()
} catch (error) {
  const cause = error instanceof Error && error.cause ? `: ${error.cause}` : ''
  process.stderr.write(`${error instanceof Error ? error.message : error}${cause}\n`)
  process.exitCode = 1
}
