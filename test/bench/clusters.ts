/** Relays on one Redis server, and the servers that they are compared with, each with empty storage of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { spawnProgram } from '../support/child.ts'
import { freePort } from '../support/free-port.ts'
import { type RedisServer, startRedis, startRedisCluster } from '../support/redis.ts'
import type { Target } from './client.ts'
import { pin, quiet } from './machine.ts'
import { portOf, startRelay } from './servers.ts'

/** Servers under measurement. The target's first `relays` processes are relays; the others are stores. */
export type Running = { target: Target; relays: number; stores: readonly RedisServer[]; stop: () => Promise<void> }

const POLL = 50

const withFolder = (): [folder: string, remove: () => void] => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-nodes-'))
  return [folder, () => rmSync(folder, { recursive: true, force: true })]
}

const startRelays = async (count: number, stores: readonly RedisServer[]): Promise<Running> => {
  const [folder, remove] = withFolder()
  const args = stores.length > 0 ? ['--redis-url', stores.map(({ url }) => url).join(',')] : []
  const relays = await Promise.all(
    Array.from({ length: count }, (_, index) => startRelay(join(folder, `${index}`), args)),
  )
  const pids = [...relays, ...stores].map(({ pid }) => pid)
  for (const pid of pids) pin(pid, 'server')
  return {
    target: { ports: relays.map(portOf) as [number], pids: pids as [number], dialect: 'relay' },
    relays: count,
    stores,
    stop: async () => {
      await Promise.all(relays.map(relay => relay.stop('SIGKILL')))
      await Promise.all(stores.map(store => store.stop()))
      remove()
    },
  }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

/** Starts NATS with JetStream in files. By default, it syncs them every two minutes. */
const startJetStream = async (): Promise<Running> => {
  const [folder, remove] = withFolder()
  const port = await freePort()
  const file = join(folder, 'nats.conf')
  writeFileSync(file, `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${folder}" }\n`)
  const child = spawnProgram('nats-server', ['-c', file])
  child.stderr.resume()
  child.stdout.resume()
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () => reject(new Error('nats-server is not installed')))
    child.once('close', code => reject(new Error(`nats-server exited with ${code}`)))
  })
  failed.catch(() => undefined)
  while (!(await Promise.race([isListening(port), failed]))) await pause(POLL)
  const pid = child.pid ?? 0
  pin(pid, 'server')
  return {
    target: { ports: [port], pids: [pid], dialect: 'jetstream' },
    relays: 0,
    stores: [],
    stop: async () => {
      child.kill('SIGKILL')
      await failed.catch(() => undefined)
      remove()
    },
  }
}

/** The default fsync policy of Redis. */
const FSYNC = ['--appendfsync', 'everysec']

const onRedis = (relays: number) => async (): Promise<Running> => {
  const redis = await startRedis(FSYNC)
  return startRelays(relays, [redis])
}

const starts: Readonly<Record<string, () => Promise<Running>>> = {
  'one relay, local store': () => startRelays(1, []),
  '1 relay, Redis': onRedis(1),
  '2 relays, Redis': onRedis(2),
  '4 relays, Redis': onRedis(4),
  '4 relays, cluster of 3': async () => startRelays(4, (await startRedisCluster(FSYNC)).servers),
  'NATS JetStream': startJetStream,
}

export const names = Object.keys(starts)

/** Waits until the machine is quiet, starts the servers of that name, passes them to `use`, and always stops them. */
export const withRunning = async <T>(name: string, use: (running: Running) => Promise<T>): Promise<T> => {
  const start = starts[name]
  if (!start) throw new Error(`there are no servers named ${name}`)
  await quiet()
  const running = await start()
  try {
    return await use(running)
  } finally {
    await running.stop()
  }
}
