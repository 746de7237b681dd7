/** `--check` and `--repair` on the damaged folder of a killed relay. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../support/command.ts'
import { metricOf } from '../support/metrics.ts'
import { connectRelay } from '../support/relay-client.ts'
import { NO_REDELIVERY, startServer } from '../support/server.ts'

const TOPIC = 'ab'.repeat(32)
const COUNT = 50

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'check-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => runCommand('relay-server', args)

const fill = async (): Promise<void> => {
  const relay = await startServer('relay-server', { dataDir: folder })
  const [ann, ben] = [await connectRelay(relay.url, 1), await connectRelay(relay.url, 2)]
  await ben.call('relay_subscribe', { topic: TOPIC })
  await ben.close()
  for (let index = 0; index < COUNT; index++)
    await ann.call('relay_publish', { topic: TOPIC, message: `message ${index}`, ttl: 300 })
  expect(await run('--check', folder)).toEqual({
    status: 2,
    lines: [expect.stringMatching(/cannot be used: process \d+ uses it/)],
  })
  await relay.stop('SIGKILL')
}

/** Flips one bit of a message. */
const harm = (text: string): void => {
  const path = join(folder, 'messages-000001.log')
  const bytes = readFileSync(path)
  const at = bytes.indexOf(text)
  bytes[at] = (bytes[at] ?? 0) ^ 4
  writeFileSync(path, bytes)
}

/** Returns the messages that a returning client gets, up to the last one. */
const drain = async (): Promise<string[]> => {
  const relay = await startServer('relay-server', { dataDir: folder, args: NO_REDELIVERY })
  const ben = await connectRelay(relay.url, 2)
  await ben.call('relay_subscribe', { topic: TOPIC })
  const texts: string[] = []
  while (texts.at(-1) !== `message ${COUNT - 1}`) {
    const push = await ben.push()
    texts.push(push.params.data.message)
  }
  expect(await metricOf(relay.url, 'heliograph_storage_damaged_places')).toBe(0)
  await ben.close()
  await relay.stop()
  return texts
}

test('damage is reported to the byte and set aside, and the other messages are delivered', async () => {
  await fill()
  const whole = await run('--check', folder)
  expect([whole.status, whole.lines]).toEqual([
    0,
    [expect.stringMatching(/^\d files, \d+ valid records, 0 damaged places, 0 bytes lost$/)],
  ])
  for (const text of ['message 7"', 'message 20"', 'message 21"']) harm(text)
  const damaged = await run('--check', folder)
  expect(damaged.status).toBe(1)
  expect(damaged.lines).toEqual([
    expect.stringMatching(/^damaged: messages-000001.log: \d+ bytes from offset \d+ cannot be read: no valid record/),
    expect.stringMatching(/^damaged: messages-000001.log: \d+ bytes from offset \d+ cannot be read: no valid record/),
    'lost: messages: number 8',
    'lost: messages: numbers 21 to 22',
    expect.stringMatching(/^\d files, \d+ valid records, 2 damaged places, \d+ bytes lost$/),
  ])
  const repaired = await run('--repair', folder)
  expect([repaired.status, repaired.lines]).toEqual([0, damaged.lines])
  expect(readdirSync(folder).filter(name => name.endsWith('.damaged'))).toHaveLength(2)
  expect((await run('--check', folder)).status).toBe(0)
  const lost = [7, 20, 21]
  expect(await drain()).toEqual(
    Array.from({ length: COUNT }, (_, index) => index)
      .filter(index => !lost.includes(index))
      .map(index => `message ${index}`),
  )
})

test('a missing folder, and a folder of another format, get a clear message and exit code 2', async () => {
  expect(await run('--check')).toEqual({
    status: 2,
    lines: ['--check requires the data directory: --check .data/relay'],
  })
  expect((await run('--check', join(folder, 'none'))).status).toBe(2)
  writeFileSync(join(folder, 'store.mdb'), '')
  expect(await run('--data-dir', folder)).toEqual({
    status: 1,
    lines: [
      `Heliograph Relay: the data folder ${folder} cannot be used: it holds the store of an earlier version (store.mdb): run that version until clients have fetched their messages, then remove these files`,
    ],
  })
})
