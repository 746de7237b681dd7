/** SIGTERM to a server that is busy in every way, on a busy machine: it shuts down within its time limit. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server as NetServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { spawnNode } from '../support/child.ts'
import { openRaw, portOf } from '../support/raw.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'
import { startServer } from '../support/server.ts'

const STOP_SECONDS = 60
/**
 * Prefix of the file with which a server locks its data folder. A server that exceeds its time limit leaves the file
 * behind.
 */
const LOCK = 'in-use-'
const TOPICS = 30
const CLIENTS = 20
const UNDER_WAY = 32
/**
 * Number of connections that send requests without reading responses, and number of requests with unfinished bodies.
 */
const IDLE = 10
/** Number of accepted publishes after which the flood counts as started. */
const FLOODED = 2000

let folder: string
let burner: ChildProcess
let sockets: Socket[]
let hanging: NetServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stopping-'))
  burner = spawnNode(['--eval', 'for (;;);'])
  sockets = []
  hanging = createServer(socket => void sockets.push(socket)).listen(0, '127.0.0.1')
  await once(hanging, 'listening')
})
afterEach(async () => {
  burner.kill('SIGKILL')
  for (const socket of sockets) socket.destroy()
  hanging.close()
  await rm(folder, { recursive: true })
})

const topicOf = (index: number): string => index.toString(16).padStart(64, '0')

/** Registers webhooks at many addresses of a server that accepts connections and never responds. */
const registerHanging = async (url: string): Promise<void> => {
  const { port } = hanging.address() as { port: number }
  for (let index = 0; index < TOPICS; index++) {
    const body = JSON.stringify({ topic: topicOf(index), webhook: `http://127.0.0.${index + 1}:${port}/` })
    const headers = { 'Content-Type': 'application/json' }
    expect((await fetch(`${url}/subscribe`, { method: 'POST', headers, body })).status).toBe(200)
  }
}

/** Publishes as fast as possible until the connection closes. `accepted` counts the acknowledged messages. */
const flood = async (client: RelayClient, accepted: { count: number }): Promise<void> => {
  let isOpen = true
  void client.closed.then(() => {
    isOpen = false
  })
  for (let round = 0; isOpen; round++) {
    const calls = Array.from({ length: UNDER_WAY }, async (_, index) => {
      const message = `${round} ${'x'.repeat(500)}`
      const answer = client.call('relay_publish', { topic: topicOf((round + index) % TOPICS), message, ttl: 600 })
      if ((await answer).result === true) accepted.count += 1
    })
    await Promise.race([Promise.all(calls), client.closed])
  }
}

const idle = async (url: string): Promise<void> => {
  for (let index = 0; index < IDLE; index++) {
    const silent = await openRaw(url)
    silent.pause()
    const half = connect(portOf(url), '127.0.0.1')
    half.write('POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{')
    for (const socket of [silent, half]) {
      socket.on('error', () => undefined)
      sockets.push(socket)
    }
  }
}

const locks = (): string[] => readdirSync(folder).filter(name => name.startsWith(LOCK))

test('with a flood of publishes, hanging webhooks, unfinished requests and silent readers', async () => {
  const args = ['--stop-seconds', `${STOP_SECONDS}`, '--webhook-allow', '127.0.0.0/8', '--webhook-seconds', '60']
  const relay = await startServer('relay-server', { dataDir: folder, args })
  await registerHanging(relay.url)
  await idle(relay.url)
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connectRelay(relay.url)))
  const accepted = { count: 0 }
  for (const client of clients) void flood(client, accepted)
  const isUnderWay = () => accepted.count > FLOODED && sockets.length > 2 * IDLE
  await vi.waitUntil(isUnderWay, { timeout: 30_000 })
  expect(locks()).toHaveLength(1)
  expect(await relay.stop()).toBe(0)
  expect(locks()).toEqual([])
  expect(accepted.count).toBeGreaterThan(0)
})
