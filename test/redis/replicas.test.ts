/**
 * `redis-replicas`: an acknowledged message survives the loss of the primary, and a message that only the primary has
 * is not acknowledged.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectBridge } from '../support/bridge-client.ts'
import { metricOf } from '../support/metrics.ts'
import { type RedisServer, startRedis, startReplica } from '../support/redis.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'
import { NO_REDELIVERY, type Server, startServer } from '../support/server.ts'

const TTL = 3600

let folder: string
let primary: RedisServer
let replica: RedisServer
/** A replica of the promoted server. */
let next: RedisServer | undefined
let server: Server
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replicas-'))
  primary = await startRedis()
  replica = await startReplica(primary)
})
afterEach(async () => {
  await server.stop('SIGKILL')
  await Promise.all([primary.stop(), replica.stop(), next?.stop()])
  next = undefined
  await rm(folder, { recursive: true })
})

const start = async (name: 'relay-server' | 'bridge-server', ...args: string[]): Promise<void> => {
  const urls = [primary, replica].map(({ url }) => url).join(',')
  server = await startServer(name, { dataDir: folder, args: ['--redis-url', urls, '--redis-replicas', '1', ...args] })
}

const publish = (client: RelayClient, topic: string, message: string) =>
  client.call('relay_publish', { topic, message, ttl: TTL })

test('a message is refused while the replica does not respond, and its repeat is acknowledged and delivered once', async () => {
  await start('relay-server', ...NO_REDELIVERY)
  const [writer, reader] = [await connectRelay(server.url, 1), await connectRelay(server.url, 2)]
  await reader.call('relay_subscribe', { topic: 't' })
  await expect.poll(async () => (await publish(writer, 't', 'first')).result).toBe(true)
  replica.pause()
  const refused = await publish(writer, 't', 'second')
  expect([refused.error?.code, refused.error?.message]).toEqual([
    -32002,
    'the store refuses writes: only 0 of 1 replicas have it',
  ])
  replica.resume()
  await expect.poll(async () => (await publish(writer, 't', 'second')).result).toBe(true)
  for (const message of ['first', 'second']) {
    const push = await reader.push()
    expect(push.params.data.message).toBe(message)
    reader.acknowledge(push)
  }
  expect(await reader.rest()).toEqual([])
  await Promise.all([writer.close(), reader.close()])
})

test('acknowledged messages and subscriptions survive the loss of the primary when its replica is promoted', async () => {
  await start('relay-server')
  const [writer, reader] = [await connectRelay(server.url, 1), await connectRelay(server.url, 2)]
  expect((await reader.call('relay_subscribe', { topic: 'ours' })).error).toBeUndefined()
  await reader.close()
  const answered: string[] = []
  let isKilled = false
  const writing = Array.from({ length: 20 }, async (_, line) => {
    for (let number = 0; ; number++) {
      const message = `${line} ${number}`
      const { result } = await publish(writer, 'ours', message)
      if (result === true) answered.push(message)
      else if (isKilled) return
    }
  })
  await expect.poll(() => answered.length, { timeout: 60_000 }).toBeGreaterThan(500)
  isKilled = true
  await primary.kill()
  await Promise.all(writing)
  await replica.command('REPLICAOF', 'NO', 'ONE')
  next = await startReplica(replica)
  const again = await connectRelay(server.url, 2)
  await expect.poll(async () => (await again.call('relay_subscribe', { topic: 'ours' })).error).toBeUndefined()
  const missing = new Set(answered)
  while (missing.size > 0) {
    const push = await again.push()
    again.acknowledge(push)
    missing.delete(push.params.data.message)
  }
  await Promise.all([writer.close(), again.close()])
})

test('a bridge closes the socket that sent a frame which the replica does not have', async () => {
  await start('bridge-server')
  const client = await connectBridge(server.url)
  client.pub('t', 'first')
  await expect.poll(() => metricOf(server.url, 'heliograph_publishes_total')).toBe(1)
  replica.pause()
  client.pub('t', 'second')
  const reason = await new Promise(resolve => client.socket.on('close', (code, text) => resolve(`${code} ${text}`)))
  expect(reason).toBe('1013 messages cannot be stored at the moment (redis-url)')
  replica.resume()
})
