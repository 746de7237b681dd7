/** Starts Redis servers and clusters for tests, with the redis-server of the distribution. */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { spawnProgram } from './child.ts'
import { freePort } from './free-port.ts'

export type RedisServer = {
  url: string
  port: number
  /** The PID since the last start. */
  readonly pid: number
  /** Sends a command and returns its reply. */
  command: (...args: string[]) => Promise<unknown>
  /** Kills the server with SIGKILL. Its files stay. */
  kill: () => Promise<void>
  /** Starts the server again on the same port, with its files. */
  restart: () => Promise<void>
  /** Suspends the process (SIGSTOP), so that it does not respond until `resume`. */
  pause: () => void
  resume: () => void
  /** Kills the server and removes its files. */
  stop: () => Promise<void>
}

const POLL = 20
const WORDS_KEPT = 2000

/**
 * Kill functions of servers that were not stopped, by folder. When this process exits, they are called and the folders
 * removed.
 */
const unstopped = new Map<string, () => unknown>()
process.once('exit', () => {
  for (const kill of unstopped.values()) kill()
  // A server can still create a file until the signal reaches it, so the removal is retried.
  for (const folder of unstopped.keys()) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 10 })
})

/** Resolves once `check` does not throw and returns true. */
const until = async (check: () => Promise<boolean>): Promise<void> => {
  while (!(await check().catch(() => false))) await pause(POLL)
}

/**
 * Starts a server that writes to an append-only file before it replies, without fsync, so its data survives `kill`.
 * `args` are further settings; they override the defaults.
 */
export const startRedis = async (args: readonly string[] = []): Promise<RedisServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const files = ['--dir', folder, '--appendonly', 'yes', '--appendfsync', 'no', '--save', '']
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', ...files]
  let child: ReturnType<typeof spawnProgram>

  const command = async (...words: string[]): Promise<unknown> => {
    const client = createClient({ url, disableClientInfo: true, socket: { reconnectStrategy: false } })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return await client.sendCommand(words)
    } finally {
      client.destroy()
    }
  }
  const start = async (): Promise<void> => {
    child = spawnProgram('redis-server', [...settings, ...args])
    unstopped.set(folder, () => child.kill('SIGKILL'))
    let said = ''
    for (const output of [child.stdout, child.stderr])
      output.on('data', chunk => {
        said = (said + chunk).slice(-WORDS_KEPT)
      })
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null
    await until(async () => hasEnded() || (await command('PING')) === 'PONG')
    if (hasEnded()) throw new Error(`Redis did not start: ${said.trim()}`)
  }
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'close')
  }

  await start()
  return {
    url,
    port,
    get pid() {
      return child.pid ?? 0
    },
    command,
    kill: end,
    restart: start,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: async () => {
      await end()
      await rm(folder, { recursive: true, force: true })
      unstopped.delete(folder)
    },
  }
}

/** Starts a replica and waits until it is connected to its primary. */
export const startReplica = async ({ port }: RedisServer, args: readonly string[] = []): Promise<RedisServer> => {
  const replica = await startRedis(['--replicaof', '127.0.0.1', `${port}`, ...args])
  await until(async () => `${await replica.command('INFO', 'replication')}`.includes('master_link_status:up'))
  return replica
}

/** Waits until a replica has applied everything that its primary has sent so far. */
export const untilCaughtUp = async (replica: RedisServer, primary: RedisServer): Promise<void> => {
  const offsetOf = async (server: RedisServer, offset: RegExp): Promise<number> =>
    Number(offset.exec(`${await server.command('INFO', 'replication')}`)?.[1])
  const sent = await offsetOf(primary, /^master_repl_offset:(\d+)/m)
  await until(async () => (await offsetOf(replica, /^slave_repl_offset:(\d+)/m)) >= sent)
}

const SLOTS = 16_384

export type RedisCluster = {
  urls: string[]
  servers: readonly RedisServer[]
  /** Waits until every server sees all slots served. A restarted primary refuses commands for about two seconds. */
  untilWhole: () => Promise<void>
  stop: () => Promise<void>
}

/** Starts a cluster of three primaries. */
export const startRedisCluster = async (args: readonly string[] = []): Promise<RedisCluster> => {
  const servers: RedisServer[] = []
  const buses = [await freePort(), await freePort(), await freePort()].map(String)
  for (const bus of buses) servers.push(await startRedis(['--cluster-enabled', 'yes', '--cluster-port', bus, ...args]))
  const [first] = servers
  for (const [index, server] of servers.entries()) {
    const from = Math.floor((SLOTS * index) / servers.length)
    const to = Math.floor((SLOTS * (index + 1)) / servers.length) - 1
    await server.command('CLUSTER', 'ADDSLOTSRANGE', `${from}`, `${to}`)
    if (server !== first) await server.command('CLUSTER', 'MEET', '127.0.0.1', `${first?.port}`, buses[0] ?? '')
  }
  const isWhole = async (server: RedisServer): Promise<boolean> => {
    const state = `${await server.command('CLUSTER', 'INFO')}`
    return state.includes('cluster_state:ok') && state.includes(`cluster_known_nodes:${servers.length}`)
  }
  const untilWhole = () => until(async () => (await Promise.all(servers.map(isWhole))).every(Boolean))
  await untilWhole()
  return {
    urls: servers.map(({ url }) => url),
    servers,
    untilWhole,
    stop: async () => {
      await Promise.all(servers.map(server => server.stop()))
    },
  }
}
