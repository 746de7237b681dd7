/** Repeated malformed input: the relay keeps none of it in memory. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hear, openRaw, say } from '../support/raw.ts'
import { connectRelay, type RelayClient } from '../support/relay-client.ts'
import { type Server, startServer } from '../support/server.ts'
import { brokenFrames, malformedCalls, malformedRequests } from './malformed.ts'

let folder: string
let relay: Server
let client: RelayClient
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-malformed-'))
  // The burst is large, because each item of a list costs a token, and all of this input comes from one client.
  relay = await startServer('relay-server', { dataDir: folder, args: ['--message-burst', '10000000'] })
  client = await connectRelay(relay.url)
})
afterAll(async () => {
  await client.close()
  await relay.stop()
  await rm(folder, { recursive: true })
})

test('forty repetitions leave nothing in memory', { timeout: 400_000 }, async () => {
  const round = async (): Promise<void> => {
    for (const [frame] of malformedCalls) client.send(frame)
    for (const _ of malformedCalls) await client.next()
    await Promise.all(malformedRequests.map(([, bytes]) => say(relay.url, bytes, '\r\n\r\n')))
    for (const [, bytes] of brokenFrames) {
      const socket = await openRaw(relay.url)
      socket.write(bytes)
      await hear(socket)
    }
  }
  // The heap grows to its final size during these rounds, so they are not measured.
  for (let count = 0; count < 20; count++) await round()
  const before = await relay.heldBytes()
  for (let count = 0; count < 40; count++) await round()
  expect((await relay.heldBytes()) - before).toBeLessThan(10_000_000)
})
