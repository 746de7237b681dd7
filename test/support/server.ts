/** Runs a relay or a bridge as operators do: a process that is configured by flags and stopped by a signal. */
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { spawnNode } from './child.ts'
import { type ServerName, scriptOf } from './server-scripts.ts'
import { redisUrlOf } from './store.ts'

export type Server = {
  pid: number
  /** The URL that the server printed after `listening on`. */
  url: string
  /** Resolves with the exit status and the last output once the process has exited, for whatever reason. */
  ended: Promise<string>
  /** The last output so far. */
  said(): string
  /** Returns the server's memory in bytes after garbage collection, without free heap and mapped files. Linux only. */
  heldBytes(): Promise<number>
  /**
   * Stops the server gracefully with SIGTERM, or crashes it with SIGKILL. Resolves with the exit code, or null after a
   * crash.
   */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

export type ServerOptions = {
  dataDir: string
  /** Port to listen on. 0, the default, picks a free port. */
  port?: number
  /** Further flags, e.g. `['--log-level', 'debug']`. */
  args?: readonly string[]
  /**
   * Maximum bytes of its data folder once it listens; see quota.ts. `setQuota` changes the limit while the server runs,
   * but only if it was started with a quota, which can be Infinity.
   */
  quota?: number
}

const WORDS_KEPT = 10_000
const LISTENING = /listening on (\S+)\n/
const ROOM = /room in the heap: (\d+) bytes\n/
/** V8 can keep freed pages after a collection, sometimes 30 MB. The lowest of several readings is taken. */
const READINGS_OF_MEMORY = 3

const storeFlags = (urls: readonly string[]): string[] => (urls.length > 0 ? ['--redis-url', urls.join(',')] : [])

/** All clients of a test are on this machine and would share the limits of one address. */
const EXEMPT = '--exempt-addresses'
const LOOPBACK = '127.0.0.0/8,::1'

/**
 * Flags of a relay that does not repeat a push while a test runs, for tests that count pushes. On a busy machine, an
 * acknowledgement can take longer than the default of `--redelivery-seconds`, and the message would be pushed again.
 */
export const NO_REDELIVERY = ['--redelivery-seconds', '600'] as const

/**
 * Starts `relay-server` or `bridge-server` and waits until it listens. Rejects with its output if it does not. Clients
 * on this machine are exempt from shares unless `args` set the exempt addresses.
 */
export const startServer = async (
  name: ServerName,
  { dataDir, port = 0, args = [], quota }: ServerOptions,
): Promise<Server> => {
  const exempt = args.includes(EXEMPT) ? [] : [EXEMPT, LOOPBACK]
  // The server starts without a quota, because its default limits follow from the free space of the disk.
  setQuota(dataDir, Number.POSITIVE_INFINITY)
  const flags = [
    '--port',
    `${port}`,
    '--data-dir',
    dataDir,
    ...exempt,
    ...storeFlags(await redisUrlOf(dataDir)),
    ...args,
  ]
  const preloads = quota === undefined ? [] : ['--import', await scriptOf('quota')]
  const scripts = ['--import', await scriptOf('collect'), ...preloads, await scriptOf(name)]
  const server = await startListening(name, [...scripts, ...flags])
  if (quota !== undefined) setQuota(dataDir, quota)
  return server
}

/** Returns the resident memory without mapped files, in bytes: `RssAnon` in KiB, proc(5). */
const anonymousBytes = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

/** Limits the bytes of a data folder. Infinity removes the limit. */
export const setQuota = (dataDir: string, bytes: number): void => {
  if (bytes === Number.POSITIVE_INFINITY) rmSync(`${dataDir}.quota`, { force: true })
  else writeFileSync(`${dataDir}.quota`, `${bytes}`)
}

/** Runs Node with `args`. Resolves once the script prints `listening on`. */
export const startListening = async (name: string, args: readonly string[]): Promise<Server> => {
  const child = spawnNode(args)
  const closed = once(child, 'close')
  let said = ''
  const ended = closed.then(([code, signal]) => `${name} exited with ${code ?? signal}: ${said.trim()}`)

  const url = await new Promise<string>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr]) {
      output.on('data', chunk => {
        said = (said + chunk).slice(-WORDS_KEPT)
        const found = LISTENING.exec(said)?.[1]
        if (found !== undefined) resolve(found)
      })
    }
    ended.then(words => reject(new Error(words)), reject)
  })

  const pid = child.pid ?? 0
  const collectGarbage = (): Promise<number> =>
    new Promise(resolve => {
      const look = (chunk: Buffer): void => {
        const room = ROOM.exec(`${chunk}`)?.[1]
        if (room === undefined) return
        child.stdout.off('data', look)
        resolve(Number(room))
      }
      child.stdout.on('data', look)
      child.kill('SIGUSR2')
    })
  const failed = ended.then(words => Promise.reject(new Error(words)))
  failed.catch(() => undefined)

  return {
    pid,
    url,
    ended,
    said: () => said,
    heldBytes: async () => {
      const readings: number[] = []
      while (readings.length < READINGS_OF_MEMORY) {
        const room = await Promise.race([collectGarbage(), failed])
        readings.push((await anonymousBytes(pid)) - room)
      }
      return Math.min(...readings)
    },
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      const [code] = await closed
      return code
    },
  }
}
