/** The life of a server process: settings, start, one line that says where, signals, stop. */
import { asksForHelp, type Config, helpText, processSources, type Rows, readConfig } from './config.ts'

/** A started server. `stop` answers what is under way, closes everything and frees the port and the files. */
export type Running = { url: string; stop: () => Promise<void> }

/** "Heliograph Relay", the version of the interface it speaks, and the prefix of its environment variables. */
export type Service = { name: string; version: string; prefix: string }

export type Program<R extends Rows> = {
  /** What a person types: "npm run relay --". */
  command: string
  service: Service
  rows: R
  start: (config: Config<R>) => Promise<Running>
}

/** Signals this close together are one, in ms. */
const SAME_PRESS = 500

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

/** Runs a server in the foreground until a signal ends it: exit code 0, or 1 with one line on standard error. */
export const run = async <R extends Rows>({ command, service, rows, start }: Program<R>): Promise<void> => {
  const { name, prefix } = service
  const { args, env } = processSources()
  if (asksForHelp(args)) {
    process.stdout.write(helpText(command, prefix, rows))
    return
  }
  try {
    const ended = signalled()
    const server = await start(readConfig(prefix, rows, { args, env }))
    process.stdout.write(`${name} listening on ${server.url}\n`)
    await ended
    exitOnLaterSignal()
    await server.stop()
    process.exit(0)
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    process.stderr.write(`${name}: ${reason}\n`)
    process.exit(1)
  }
}
