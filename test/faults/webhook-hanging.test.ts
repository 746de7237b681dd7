/**
 * Webhooks with many receivers that never respond, on a busy machine. The order of the calls and their exact delay are
 * tested with a fake clock in the tests of the queue.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@heliograph/shared/server/process/eventually.fixture'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { spawnNode } from '../support/child.ts'
import { startReceiver } from '../support/receiver.ts'
import { connectRelay } from '../support/relay-client.ts'
import { startServer } from '../support/server.ts'

/** With this token, a webhook is registered without a challenge. */
const TOKEN = 'operator'
const FLAGS = ['--webhook-token', TOKEN, '--webhook-allow', '127.0.0.1', '--webhook-seconds', '600']
const ends: (() => unknown)[] = []

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhook-hanging-'))
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
  await rm(folder, { recursive: true })
})

test('a receiver is called before the calls to forty hanging ones at its address time out', async () => {
  const burner = spawnNode(['--eval', 'for (;;);'])
  const relay = await startServer('relay-server', { dataDir: folder, args: FLAGS })
  const client = await connectRelay(relay.url, 1)
  ends.push(() => burner.kill('SIGKILL'), relay.stop, client.close)
  const receive = async (topic: string, answer?: () => undefined) => {
    const receiver = await startReceiver({ ...(answer && { answer }) })
    ends.push(receiver.close)
    const { status } = await fetch(`${relay.url}/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ topic, webhook: receiver.url }),
    })
    expect(status).toBe(200)
    return receiver
  }
  const publish = async (topic: string) =>
    expect((await client.call('relay_publish', { topic, message: 'm', ttl: 300 })).result).toBe(true)

  const topics = Array.from({ length: 40 }, (_, index) => index.toString(16).padStart(64, '0'))
  const hanging = await Promise.all(topics.map(topic => receive(topic, () => undefined)))
  const quick = await receive('quick')
  for (const topic of topics) await publish(topic)
  await eventually(() =>
    expect(hanging.filter(({ connections }) => connections() > 0).length).toBeGreaterThanOrEqual(32),
  )
  await publish('quick')
  await vi.waitFor(() => expect(quick.received).toHaveLength(1), { timeout: 60_000 })
})
