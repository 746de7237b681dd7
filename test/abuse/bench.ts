/**
 * Measures honest pairs next to one attacker: their latency and losses, and the part of each limit that the attacker
 * uses.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { metricsOf } from '../support/metrics.ts'
import { portOf } from '../support/raw.ts'
import { type Server, startServer } from '../support/server.ts'
import type { Attack, Strategy } from './attacks.ts'
import { connectPairs, type Pairs, type Report } from './honest.ts'

const MIB = 1024 * 1024

/** The limits of the attacked relay, by the metric that counts their use. */
export const bounds = {
  heliograph_connections: 16_000,
  heliograph_mailbox_subscriptions: 100_000,
  heliograph_mailbox_messages: 100_000,
  heliograph_mailbox_bytes: 2048 * MIB,
  heliograph_webhook_topics: 10_000,
  heliograph_webhook_calls: 10_000,
} as const
type Bound = keyof typeof bounds

const settings: Record<string, number | string> = {
  connections: bounds.heliograph_connections,
  subscriptions: bounds.heliograph_mailbox_subscriptions,
  'store-messages': bounds.heliograph_mailbox_messages,
  'store-bytes': bounds.heliograph_mailbox_bytes,
  'webhook-topics': bounds.heliograph_webhook_topics,
  'webhook-calls': bounds.heliograph_webhook_calls,
  'webhook-allow': '127.0.0.0/8',
  'webhook-registration': 'open',
  // No machine has this address, so no client is exempt.
  'exempt-addresses': '192.0.2.1',
  'log-level': 'error',
}

/** Milliseconds that Node adds to the event loop lag, which it measures as the time between two timers. */
const LAG_RESOLUTION = 10

/**
 * Allowance for open files that are not the attacker's accepted connections: other files, and connections that are
 * about to be refused.
 */
const OTHER_FILES = 40

/** The role of a process in the measurement. */
export type Role = 'relay' | 'honest clients' | 'attacker'

export type Options = {
  strategies: readonly Strategy[]
  pairs: number
  /** Port of the relay. The attacker's own server uses the next port. 0 picks free ports. */
  port: number
  /** Tokens that an address may spend at once. */
  burst: number
  /** Milliseconds of the quiet time, of an attack, and between two messages of a pair. */
  quiet: number
  length: number
  every: number
  /** Milliseconds after which an honest message counts as lost. */
  patience: number
  /** True to restart the relay after each attack; otherwise it restarts only after the last. */
  isEachRestarted: boolean
  /** Moves a process to its role's processor, so that the relay is measured and not the machine. */
  place?: (pid: number | undefined, role: Role) => void
  onProgress?: (line: string) => void
}

export type Result = {
  strategy: Strategy
  quiet: Report
  attacked: Report
  /** The largest part of a limit that the attacker used up, and the limit's name. */
  moved: number
  bound: string
  /** Seconds until the restarted relay listened; undefined if it was not restarted. */
  restart: number | undefined
  /** The relay's largest resident memory, in bytes. */
  resident: number
  /** Duration of the relay's longest event loop turn, in milliseconds. */
  turn: number
}

const attackerScript = fileURLToPath(new URL('attacker.ts', import.meta.url))

/** Starts an attacker and waits until it is ready, so that its start does not take time of the measurement. */
const readyAttacker = async (options: Attack, place: NonNullable<Options['place']>) => {
  const child = fork(attackerScript, { execArgv: ['--import', 'tsx'] })
  const isReady = once(child, 'message')
  child.send(options)
  await isReady
  place(child.pid, 'attacker')
  return {
    attack: (port: number | 'yourself') => void child.send(port),
    stop: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Starts a webhook target that accepts connections and never responds. */
const startSilence = async (): Promise<{ port: number; close: () => void }> => {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.2')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const residentOf = async (pid: number): Promise<number> =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

/** Watches the limits and the memory until it is stopped. Does not count messages of the honest pairs. */
const watch = async (server: Server, { undelivered }: Pairs) => {
  const read = () => metricsOf(server.url)
  const before = await read()
  let isOver = false
  let [moved, bound, resident, turn] = [0, 'none', 0, 0]
  let lookedAt = 0
  const note = (name: string, part: number): void => {
    if (part <= moved) return
    moved = part
    bound = name.replace('heliograph_', '')
  }
  const look = async (): Promise<void> => {
    const begin = performance.now()
    const now = await read()
    // The honest clients' messages since the previous look may still be stored. The relay has read all acknowledgements
    // that were sent before its previous response.
    const honest: Partial<Record<Bound, number>> = { heliograph_mailbox_messages: undelivered(lookedAt) }
    lookedAt = begin
    for (const [name, most] of Object.entries(bounds) as [Bound, number][])
      note(name, ((now[name] ?? 0) - (before[name] ?? 0) - (honest[name] ?? 0)) / most)
    const files = (now.process_open_fds ?? 0) - (before.process_open_fds ?? 0) - OTHER_FILES
    note('silent connections', files / bounds.heliograph_connections)
    resident = Math.max(resident, await residentOf(server.pid))
    turn = Math.max(turn, (now.nodejs_eventloop_lag_max_seconds ?? 0) * 1000 - LAG_RESOLUTION)
  }
  const looking = (async () => {
    while (!isOver) {
      await look()
      await pause(250)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await looking
      await look()
      return { moved, bound, resident, turn }
    },
  }
}

const nowhere = (): void => undefined

/** Runs each strategy against a relay that serves honest pairs. */
export const runAbuse = async (options: Options): Promise<Result[]> => {
  const { place = nowhere } = options
  place(process.pid, 'honest clients')
  const folder = await mkdtemp(join(tmpdir(), 'abuse-'))
  const silence = await startSilence()
  const start = async () => {
    const args = Object.entries({ ...settings, 'address-burst': options.burst }).flatMap(([name, value]) => [
      `--${name}`,
      `${value}`,
    ])
    const started = await startServer('relay-server', { dataDir: folder, port: options.port, args })
    place(started.pid, 'relay')
    return started
  }
  let server = await start()
  const restart = async (): Promise<number> => {
    await server.stop('SIGKILL')
    const begin = performance.now()
    server = await start()
    return (performance.now() - begin) / 1000
  }
  const results: Result[] = []
  let pairs = await connectPairs(server.url, options.pairs)
  /** Runs the pairs while an attacker attacks a port, or is equally busy with its own server. */
  const runBeside = async (attack: Attack, port: number | 'yourself', length: number) => {
    const attacker = await readyAttacker(attack, place)
    try {
      const watching = await watch(server, pairs)
      attacker.attack(port)
      const report = await pairs.run({ ...options, length })
      return { report, ...(await watching.stop()) }
    } finally {
      await attacker.stop()
    }
  }
  try {
    for (const [index, strategy] of options.strategies.entries()) {
      const [victim = ''] = pairs.topics
      const ownPort = options.port === 0 ? 0 : options.port + 1
      const attack: Attack = { strategy, address: `127.0.0.${2 + index}`, victim, target: silence.port, ownPort }
      const quiet =
        options.isEachRestarted || index === 0
          ? (await runBeside(attack, 'yourself', options.quiet)).report
          : (results[0]?.quiet as Report)
      const { report: attacked, ...seen } = await runBeside(attack, portOf(server.url), options.length)
      const isRestarted = options.isEachRestarted || index === options.strategies.length - 1
      let restarted: number | undefined
      if (isRestarted) {
        pairs.close()
        restarted = await restart()
        if (index < options.strategies.length - 1) pairs = await connectPairs(server.url, options.pairs)
      }
      results.push({ strategy, quiet, attacked, ...seen, restart: restarted })
      options.onProgress?.(`${strategy}: ${JSON.stringify(results.at(-1))}`)
    }
    return results
  } finally {
    pairs.close()
    silence.close()
    await server.stop('SIGKILL')
    await rm(folder, { recursive: true })
  }
}
