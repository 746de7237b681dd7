/**
 * Backups of a running relay and a running bridge, while messages are published, files of the store are removed and
 * live records are moved. A server that starts on a backup has everything that was acknowledged before the backup
 * started.
 */
import { watch } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectBridge } from '../support/bridge-client.ts'
import { runCommand, startCommand } from '../support/command.ts'
import { metricOf } from '../support/metrics.ts'
import { randomFrom } from '../support/random.ts'
import { startReceiver } from '../support/receiver.ts'
import { connectRelay } from '../support/relay-client.ts'
import { runSeed } from '../support/seed.ts'
import { NO_REDELIVERY, type Server, startServer } from '../support/server.ts'

const [ANN, BEN, CID] = [1, 2, 3] as const
const LIVE = 'a1'.repeat(32)
const AWAY = 'b2'.repeat(32)
const BACKUPS = 2
const KILLS = 6
/** Latest moment of a kill, in milliseconds after a backup has started to write. */
const LATEST = 40
/** Bytes of each message that is delivered at once. A file of the store has room for 40 of them. */
const LARGE = 200_000
/** Calls that the publisher has in flight at a time. */
const IN_FLIGHT = 4

let base: string
let folder: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'backup-'))
  folder = join(base, 'data')
})
afterEach(() => rm(base, { recursive: true }))

/** Returns the numbers of the oldest and the newest file of a log. */
const filesOf = async (path: string, log: string): Promise<[oldest: number, newest: number]> => {
  const names = (await readdir(path)).filter(name => name.startsWith(`${log}-`) && name.endsWith('.log'))
  const numbers = names.map(name => Number(/\d+/.exec(name)?.[0]))
  return [Math.min(...numbers), Math.max(...numbers)]
}

test.each(['relay-server', 'bridge-server'] as const)(
  'a %s without clients is backed up right after its start, and its backup starts the same server',
  async name => {
    const server = await startServer(name, { dataDir: folder })
    const keyOf = async ({ url }: Server) => (await fetch(`${url}/public-key`)).json()
    const key = await keyOf(server)
    const target = join(base, 'copy')
    const { status, lines } = await runCommand(name, ['--backup', target, '--data-dir', folder])
    expect([status, lines]).toEqual([0, ['copied 0 files with 0 records in 0 bytes']])
    await server.stop()
    expect((await runCommand(name, ['--check', target])).status).toBe(0)
    const restored = await startServer(name, { dataDir: target })
    expect(await keyOf(restored)).toEqual(key)
    await restored.stop()
  },
)

/** Reads Cid's stored messages, up to the message `last`. */
const readAway = async (url: string, last: string): Promise<string[]> => {
  const cid = await connectRelay(url, CID)
  await cid.call('relay_subscribe', { topic: AWAY })
  const texts: string[] = []
  while (texts.at(-1) !== last) {
    const push = await cid.push()
    texts.push(push.params.data.message)
    cid.acknowledge(push)
  }
  await cid.close()
  return texts
}

/**
 * Publishes large messages that Ben receives at once, so the store keeps starting and removing files. After every
 * eighth, publishes a small message that stays stored for Cid.
 */
const startLoad = async (url: string) => {
  const [ann, ben, cid] = [await connectRelay(url, ANN), await connectRelay(url, BEN), await connectRelay(url, CID)]
  await ben.call('relay_subscribe', { topic: LIVE })
  await cid.call('relay_subscribe', { topic: AWAY })
  await cid.close()
  const acknowledged: string[] = []
  let published = 0
  let isRunning = true

  const publish = async (topic: string, message: string): Promise<void> => {
    const { result } = await ann.call('relay_publish', { topic, message, ttl: 3600 })
    expect(result).toBe(true)
    if (topic === AWAY) acknowledged.push(message)
  }
  const lane = async (): Promise<void> => {
    while (isRunning) {
      published += 1
      const number = published
      if (number % 8 === 0) await publish(AWAY, `away ${number}`)
      else await publish(LIVE, `${number} ${'x'.repeat(LARGE)}`)
    }
  }
  const receive = async (): Promise<void> => {
    for (;;) ben.acknowledge(await ben.push())
  }
  void receive()
  const lanes = Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  return {
    acknowledged: acknowledged as readonly string[],
    stop: async (): Promise<void> => {
      isRunning = false
      await lanes
      await ann.close()
      await ben.close()
    },
  }
}

const register = async (url: string, topic: string, webhook: string): Promise<void> => {
  const { status } = await fetch(`${url}/subscribe`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ topic, webhook }),
  })
  expect(status).toBe(200)
}

const FLAGS = [...NO_REDELIVERY, '--webhook-allow', '127.0.0.1'] as const
const publicKeyOf = async (url: string): Promise<unknown> => (await fetch(`${url}/public-key`)).json()

test('each backup of a relay under load has all messages, subscriptions and webhooks from before it started', async () => {
  const receiver = await startReceiver()
  const relay = await startServer('relay-server', { dataDir: folder, args: FLAGS })
  await register(relay.url, AWAY, receiver.url)
  const key = await publicKeyOf(relay.url)
  const load = await startLoad(relay.url)

  const backups: { target: string; before: readonly string[] }[] = []
  for (let round = 0; round < BACKUPS; round++) {
    const [, newest] = await filesOf(folder, 'messages')
    await expect.poll(async () => (await filesOf(folder, 'messages'))[1]).toBeGreaterThan(newest + 4)
    const target = join(base, `backup ${round}`)
    const before = [...load.acknowledged]
    expect(await runCommand('relay-server', ['--backup', target, '--data-dir', folder])).toEqual({
      status: 0,
      lines: [expect.stringMatching(/^copied \d+ files with \d+ records in \d+ bytes$/)],
    })
    backups.push({ target, before })
  }
  await load.stop()
  // The first files were removed. The messages for Cid are older than the remaining files, so they were moved to these
  // files.
  expect((await filesOf(folder, 'messages'))[0]).toBeGreaterThan(4)

  for (const { target, before } of backups) {
    const restored = await startServer('relay-server', { dataDir: target, args: FLAGS })
    expect(await publicKeyOf(restored.url)).toEqual(key)
    const calls = receiver.received.length
    const ann = await connectRelay(restored.url, ANN)
    await ann.call('relay_publish', { topic: AWAY, message: 'the end', ttl: 300 })
    await ann.close()
    const texts = await readAway(restored.url, 'the end')
    expect(before.filter(text => !texts.includes(text))).toEqual([])
    expect(new Set(texts).size).toBe(texts.length)
    await expect.poll(() => receiver.received.length).toBeGreaterThan(calls)
    expect(await metricOf(restored.url, 'heliograph_storage_damaged_places')).toBe(0)
    await restored.stop()
  }

  expect(await readAway(relay.url, load.acknowledged.at(-1) ?? '')).toEqual(load.acknowledged)
  await relay.stop()
  await receiver.close()
})

/**
 * Kills backups at random moments after they started to write. Resolves with the number of backups that left no folder.
 */
const killBackups = async (kind: 'relay-server' | 'bridge-server', server: Server): Promise<number> => {
  const random = randomFrom(runSeed)
  let unfinished = 0
  for (let round = 0; round < KILLS; round++) {
    const target = join(base, `killed ${round}`)
    const begun = new Promise<void>(resolve => {
      const watcher = watch(base, (_, name) => {
        if (!name?.startsWith(`killed ${round}.unfinished-`)) return
        watcher.close()
        resolve()
      })
    })
    const backup = await startCommand(kind, ['--backup', target, '--data-dir', folder])
    await begun
    await pause(random(LATEST))
    backup.kill()
    await backup.ended
    const isThere = await stat(target).catch(() => undefined)
    if (isThere) expect((await runCommand(kind, ['--check', target])).status).toBe(0)
    else unfinished += 1
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  }
  return unfinished
}

test(`a killed backup leaves no backup, and the relay keeps all messages (FUZZ_SEED=${runSeed})`, async () => {
  const relay = await startServer('relay-server', { dataDir: folder, args: NO_REDELIVERY })
  const load = await startLoad(relay.url)
  await expect.poll(async () => (await filesOf(folder, 'messages'))[1]).toBeGreaterThan(4)
  expect(await killBackups('relay-server', relay)).toBeGreaterThan(0)
  await load.stop()
  expect(await readAway(relay.url, load.acknowledged.at(-1) ?? '')).toEqual(load.acknowledged)
  await relay.stop()
})

test('a backup of a bridge under load has every frame that was stored before it started', async () => {
  const bridge = await startServer('bridge-server', { dataDir: folder })
  const ann = await connectBridge(bridge.url)
  const payload = (number: number): string => `frame ${number} ${'.'.repeat(2000)}`
  const numbered = (count: number): string[] => Array.from({ length: count }, (_, number) => payload(number))
  let sent = 0
  const send = (count: number): void => {
    for (const end = sent + count; sent < end; sent++) ann.pub('away', payload(sent))
  }
  send(200)
  await expect.poll(() => metricOf(bridge.url, 'heliograph_queue_stored')).toBe(200)
  const load = setInterval(() => send(5), 10)
  const target = join(base, 'backup')
  expect((await runCommand('bridge-server', ['--backup', target, '--data-dir', folder])).status).toBe(0)
  clearInterval(load)
  await ann.rest()

  for (const [dataDir, count] of [
    [target, 200],
    [undefined, sent],
  ] as const) {
    const restored = dataDir === undefined ? bridge : await startServer('bridge-server', { dataDir })
    const ben = await connectBridge(restored.url)
    ben.sub('away')
    expect(await ben.payloads(count)).toEqual(numbered(count))
    await ben.close()
    await restored.stop()
  }
  await ann.closed
})
