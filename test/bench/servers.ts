/** The servers under measurement, each in a process with its own empty folder. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Server, startListening, startServer } from '../support/server.ts'
import type { Target } from './client.ts'
import type { DialectName } from './dialects.ts'
import { pin, quiet } from './machine.ts'

const rawServer = fileURLToPath(new URL('raw-server.ts', import.meta.url))

/**
 * Prevents repeated messages, because the workloads expect each message only once. By default, a relay repeats messages
 * that a stalled generator has not acknowledged in time.
 */
const NO_REDELIVERY = ['--redelivery-seconds', '3600']

/** Starts a relay that repeats an unacknowledged message only to a new connection. */
export const startRelay = (dataDir: string, args: readonly string[] = []): Promise<Server> =>
  startServer('relay-server', { dataDir, args: [...NO_REDELIVERY, ...args] })

const raw = () => startListening('the raw server', ['--import', 'tsx', rawServer])
const starts: Readonly<Record<DialectName, (dataDir: string) => Promise<Server>>> = {
  relay: dataDir => startRelay(dataDir),
  bridge: dataDir => startServer('bridge-server', { dataDir }),
  raw4: raw,
  raw2: raw,
}

const start = async (dialect: DialectName, dataDir: string): Promise<Server> => {
  const server = await starts[dialect](dataDir)
  pin(server.pid, 'server')
  return server
}

const folders = new Set<string>()
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export const portOf = ({ url }: Server): number => Number(new URL(url).port)

const BLOCK = 512
const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(path => statSync(join(folder, path)).blocks * BLOCK)
    .reduce((total, size) => total + size, 0)

export type Stage = {
  target: () => Target
  /** Size of the server's folder on disk in bytes. */
  diskBytes: () => number
  /** Kills the server and restarts it with its stored data. Resolves with the seconds until it listened. */
  restart: () => Promise<number>
}

/** Starts a server, passes it to `use`, and then always stops it and removes its folder. */
export const withServer = async <T>(dialect: DialectName, use: (stage: Stage) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-'))
  folders.add(folder)
  await quiet()
  let server = await start(dialect, folder)
  const stage: Stage = {
    target: () => ({ ports: [portOf(server)], pids: [server.pid], dialect }),
    diskBytes: () => bytesBelow(folder),
    restart: async () => {
      await server.stop('SIGKILL')
      const begin = performance.now()
      server = await start(dialect, folder)
      return (performance.now() - begin) / 1000
    },
  }
  try {
    return await use(stage)
  } finally {
    await server.stop('SIGKILL')
    rmSync(folder, { recursive: true })
    folders.delete(folder)
  }
}
