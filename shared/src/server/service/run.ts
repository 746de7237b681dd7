/** Lifecycle of a server process: settings, start, signals, shutdown. */
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Config, type Row, type Rows, readConfig, type Sources } from '../process/config.ts'
import type { Running, Service } from '../transport/service.ts'

/** Configuration rows with the shutdown timeout, and the certificate of a server with TLS. */
type StoppingRows = Rows & { stopSeconds: Row<number>; tlsCert?: Row<string> }

type Startable<R extends StoppingRows> = {
  service: Service
  rows: R
  start: (config: Config<R>) => Promise<Running>
}

/** Milliseconds within which two signals count as one. */
const SAME_PRESS = 500

/** Milliseconds after `stopSeconds` until the process is killed. Accepted messages survive this. */
const KILL_GRACE = 1000
const WATCHDOG = `
  const { workerData } = require('node:worker_threads')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), workerData)
`

/** Kills this process after that time, from a worker thread, so that a blocked event loop cannot prevent it. */
const killAfter = (milliseconds: number): void => {
  new Worker(WATCHDOG, { eval: true, execArgv: [], workerData: milliseconds }).unref()
}

/** Exits once the shutdown has finished or timed out. */
const exitWithin = async (stopSeconds: number, stop: () => Promise<void>): Promise<never> => {
  killAfter(stopSeconds * 1000 + KILL_GRACE)
  await Promise.race([stop(), pause(stopSeconds * 1000)])
  process.exit(0)
}

const signalled = (): Promise<void> =>
  new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })

/**
 * Exits at once on a second signal. Signals in quick succession count as one: on Ctrl+C the terminal signals both the
 * server and npm, and npm forwards the signal to the server.
 */
const exitOnLaterSignal = (): void => {
  setTimeout(() => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))
  }, SAME_PRESS).unref()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
}

/** Keeps the process alive if the reader of its output has exited (EPIPE), or if the disk with its output is full. */
const outliveOutput = (): void => {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
}

/**
 * Prevents SIGHUP from terminating the process. A certificate may be renewed at any time, even while the server does
 * not reload files because it is starting or stopping.
 */
const outliveRenewal = (): void => void process.on('SIGHUP', () => undefined)

/**
 * Runs a server until a signal. Exits with 0, or with 1 and one line on standard error. After a signal during startup
 * it exits at once, since nothing has been accepted yet. After a later signal it exits within `stopSeconds`; if the
 * event loop is blocked, the process is killed a second later.
 */
export const run = async <R extends StoppingRows>(
  { service, rows, start }: Startable<R>,
  sources: Sources,
): Promise<void> => {
  const { name, prefix } = service
  outliveOutput()
  try {
    const ended = signalled()
    const config = readConfig(prefix, rows, sources)
    const { stopSeconds, tlsCert = '' } = config as Config<StoppingRows>
    if (tlsCert !== '') outliveRenewal()
    const server = await Promise.race([start(config), ended])
    if (!server) process.exit(0)
    process.stdout.write(`${name} listening on ${server.url}\n`)
    await ended
    exitOnLaterSignal()
    await exitWithin(stopSeconds, server.stop)
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    process.stderr.write(`${name}: ${reason}\n`)
    process.exit(1)
  }
}
