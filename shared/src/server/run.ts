/** The life of a server process: settings, start, one line that says where, signals, stop. */
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { asksForHelp, type Config, helpText, processSources, type Row, type Rows, readConfig } from './config.ts'

/**
 * A started server. `stop` answers what is under way, closes everything and frees the port and the files, in
 * `stopSeconds` at most.
 */
export type Running = { url: string; stop: () => Promise<void> }

/** "Heliograph Relay", the version of the interface it speaks, and the prefix of its environment variables. */
export type Service = { name: string; version: string; prefix: string }

/** The rows of any server: a stop has a bound. */
type StoppingRows = Rows & { stopSeconds: Row<number> }

export type Program<R extends StoppingRows> = {
  /** What a person types: "npm run relay --". */
  command: string
  service: Service
  rows: R
  start: (config: Config<R>) => Promise<Running>
}

/** Signals this close together are one, in ms. */
const SAME_PRESS = 500

/** Milliseconds beyond `stopSeconds` after which the process is killed. What a server has accepted survives that. */
const KILL_GRACE = 1000
const WATCHDOG = `
  const { workerData } = require('node:worker_threads')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), workerData)
`

/** Kills this process after so many milliseconds, even while its event loop is blocked: a worker has a loop of its own. */
const killAfter = (milliseconds: number): void => {
  new Worker(WATCHDOG, { eval: true, execArgv: [], workerData: milliseconds }).unref()
}

/** Ends the process once the stop is over, or its time is. */
const endWithin = async (stopSeconds: number, stop: () => Promise<void>): Promise<never> => {
  killAfter(stopSeconds * 1000 + KILL_GRACE)
  await Promise.race([stop(), pause(stopSeconds * 1000)])
  process.exit(0)
}

const signalled = (): Promise<void> =>
  new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })

/**
 * After the first signal has begun the stop, a later one does not wait for it. One that comes together with the first
 * is the same key press: a terminal signals a server and the npm above it, and npm passes it on.
 */
const exitOnLaterSignal = (): void => {
  setTimeout(() => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))
  }, SAME_PRESS).unref()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
}

/**
 * Runs a server in the foreground until a signal ends it: exit code 0, or 1 with one line on standard error. A signal
 * before it listens ends it at once: nobody has been promised anything. After that it ends in `stopSeconds`, and is
 * killed a second later if its event loop is blocked.
 */
export const run = async <R extends StoppingRows>({ command, service, rows, start }: Program<R>): Promise<void> => {
  const { name, prefix } = service
  const { args, env } = processSources()
  if (asksForHelp(args)) {
    process.stdout.write(helpText(command, prefix, rows))
    return
  }
  try {
    const ended = signalled()
    const config = readConfig(prefix, rows, { args, env })
    const { stopSeconds } = config as Config<StoppingRows>
    const server = await Promise.race([start(config), ended])
    if (!server) process.exit(0)
    process.stdout.write(`${name} listening on ${server.url}\n`)
    await ended
    exitOnLaterSignal()
    await endWithin(stopSeconds, server.stop)
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    process.stderr.write(`${name}: ${reason}\n`)
    process.exit(1)
  }
}
