/** Tests the mailbox on disk: its size, a full disk, and damaged files. */
import type { NonSharedBuffer } from 'node:buffer'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { sharesOf } from '@heliograph/shared/server/limits/shares.fixture'
import { createLog } from '@heliograph/shared/server/process/log'
import type { Damage } from '@heliograph/shared/server/storage/damage'
import { disk } from '@heliograph/shared/server/storage/failing-disk.fixture'
import { BATCH, BATCH_LENGTH_BYTES, HEAD_BYTES, recordsIn } from '@heliograph/shared/server/storage/record'
import { FILE_HEAD_BYTES } from '@heliograph/shared/server/storage/segment-files'
import { openStore, type Store } from '@heliograph/shared/server/storage/store'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { wide } from './limits.fixture.ts'
import { openLocalMailbox } from './local-mailbox.ts'
import type { Client, Mailbox } from './mailbox.ts'
import { seqIn } from './message-record.ts'

vi.mock('node:fs', async original =>
  (await import('@heliograph/shared/server/storage/failing-disk.fixture')).failingDisk(await original()),
)

const ann: Client = 'did:key:zAnn'
const ben: Client = 'did:key:zBen'
const cat: Client = 'did:key:zCat'
const TOPIC = 'a topic'
const SEGMENT_BYTES = 10_000
/** Bytes of the note before a batch. */
const BATCH_NOTE = HEAD_BYTES + BATCH_LENGTH_BYTES
const START = 1_800_000_000_000
const limits = { topicMessages: 100_000, topicBytes: 100_000_000, topicClients: 10, clientTopics: 10, ...wide }

let folder: string
let store: Store
let mailbox: Mailbox
let damages: Damage[]
let time: number

const open = (): void => {
  damages = []
  store = openStore(folder, { segmentBytes: SEGMENT_BYTES, onDamage: damage => damages.push(damage) })
  const log = createLog('test', 'silent')
  mailbox = openLocalMailbox({
    storage: store.log('messages'),
    failure: store.failure,
    limits,
    shares: sharesOf(),
    log,
    now: () => time,
  })
}
const restart = async (): Promise<void> => {
  await store.close()
  open()
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailbox-storage-'))
  time = START
  open()
})
afterEach(async () => {
  disk.left = Number.POSITIVE_INFINITY
  await store.close()
  rmSync(folder, { recursive: true })
})

const publish = (...texts: string[]): Promise<void> =>
  mailbox.append(
    ann,
    texts.map(text => {
      const json = JSON.stringify(text)
      return { topic: TOPIC, json, size: Buffer.byteLength(json), ttl: 300, tag: 0, attestation: '' }
    }),
  ).commit.durable
const waiting = async (client: Client): Promise<string[]> =>
  (await mailbox.read(client, TOPIC, 0, 100_000)).map(({ json }) => JSON.parse(json))
const acknowledge = async (client: Client, isDone: (text: string) => boolean): Promise<void> => {
  for (const { seq, json } of await mailbox.read(client, TOPIC, 0, 100_000))
    if (isDone(JSON.parse(json))) await mailbox.acknowledge(client, TOPIC, seq)
}

const files = (): string[] =>
  readdirSync(folder)
    .filter(name => name.startsWith('messages-'))
    .sort()
const diskBytes = (): number => files().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
const texts = (count: number, start = 0): string[] =>
  Array.from({ length: count }, (_, index) => `${start + index} ${'x'.repeat(400)}`)
/** Runs the once-a-second maintenance until the check passes. */
const tidied = (check: () => unknown) =>
  vi.waitFor(
    () => {
      store.tidy()
      check()
    },
    { timeout: 20_000 },
  )

test('removing old files keeps order, recipients and acknowledgements, also after a restart', async () => {
  for (const client of [ben, cat]) await mailbox.subscribe(client, TOPIC)
  for (const text of texts(100)) await publish(text)
  await acknowledge(ben, text => !text.startsWith('5'))
  await acknowledge(cat, text => !text.startsWith('5') || text.startsWith('55'))
  const first = files()[0]
  for (const text of texts(100, 1000)) await publish(text)
  for (const client of [ben, cat]) await acknowledge(client, text => text.length > 403 && /^1\d\d\d/.test(text))
  await tidied(() => expect(files()).not.toContain(first))
  await tidied(() => expect(diskBytes()).toBeLessThan(11 * 450 * 2 + 5 * SEGMENT_BYTES))
  const expected = [await waiting(ben), await waiting(cat)]
  expect(expected.map(({ length }) => length)).toEqual([11, 10])
  await restart()
  expect((await mailbox.clients(TOPIC)).toSorted()).toEqual([ben, cat])
  expect([await waiting(ben), await waiting(cat)]).toEqual(expected)
  await publish('after')
  for (const client of [ben, cat]) await acknowledge(client, () => true)
  await restart()
  expect([await waiting(ben), await waiting(cat), damages]).toEqual([[], [], []])
})

test('20,000 messages that expire in the same second are removed, and disk space is freed', async () => {
  await mailbox.subscribe(ben, TOPIC)
  for (let round = 0; round < 20; round++)
    await publish(...Array.from({ length: 1000 }, (_, index) => `${'x'.repeat(100)}${round * 1000 + index}`))
  expect(diskBytes()).toBeGreaterThan(2_000_000)
  time += 300_000
  await mailbox.sweep()
  for (let turn = 0; turn < 12; turn++) await endOfTurn()
  expect(mailbox.size()).toMatchObject({ messages: 0, bytes: 0 })
  await tidied(() => expect(diskBytes()).toBeLessThan(6 * SEGMENT_BYTES))
})

test('a repeat of a message whose write fails is refused with it, alone and among new messages', async () => {
  await mailbox.subscribe(ben, TOPIC)
  disk.left = 100
  const text = 'd'.repeat(500)
  const published = await Promise.allSettled([publish(text), publish(text), publish(text, 'new')])
  expect(published).toMatchObject(Array(3).fill({ status: 'rejected', reason: { code: -32002 } }))
  expect(await waiting(ben)).toEqual([])
})

test("a repeated subscription is answered only once the client's acknowledgements are stored", async () => {
  await mailbox.subscribe(ben, TOPIC)
  await publish('a')
  disk.left = 0
  const acknowledged = acknowledge(ben, () => true)
  await endOfTurn()
  await expect(mailbox.subscribe(ben, TOPIC)).rejects.toMatchObject({ code: -32002 })
  await acknowledged
})

test('on a full disk publishes are refused, and acknowledgements are stored once there is room', async () => {
  await mailbox.subscribe(ben, TOPIC)
  await publish('a', 'b', 'c')
  disk.left = 100
  await expect(publish('d'.repeat(500))).rejects.toMatchObject({ code: -32002 })
  expect(mailbox.size().messages).toBe(3)
  await acknowledge(ben, text => text === 'b')
  expect(store.failure()).toBe('the disk is full')
  await expect((async () => publish('e'))()).rejects.toMatchObject({ code: -32002 })
  disk.left = Number.POSITIVE_INFINITY
  await vi.waitFor(() => expect(store.failure()).toBeUndefined(), { timeout: 20_000 })
  await publish('f')
  await restart()
  expect([await waiting(ben), damages]).toEqual([['a', 'c', 'f'], []])
})

test('on a full disk, acknowledged messages free space', async () => {
  await mailbox.subscribe(ben, TOPIC)
  await publish(...texts(100))
  // Leaves free only the bytes that are reserved for operations that free space.
  disk.left = 5000
  await expect(publish('refused'.repeat(1000))).rejects.toMatchObject({ code: -32002 })
  disk.left = 5000
  await acknowledge(ben, () => true)
  await tidied(() => expect(diskBytes()).toBeLessThan(3 * SEGMENT_BYTES))
})

test('a subscription whose write failed does not exist later', async () => {
  await mailbox.subscribe(ben, TOPIC)
  disk.left = 0
  await expect(mailbox.subscribe(cat, TOPIC)).rejects.toMatchObject({ code: -32002 })
  disk.left = Number.POSITIVE_INFINITY
  await vi.waitFor(() => expect(store.failure()).toBeUndefined(), { timeout: 20_000 })
  await publish('a')
  await restart()
  expect(await mailbox.clients(TOPIC)).toEqual([ben])
})

/** Damage to a file. `at` is a fraction of the file's length. */
const harm = fc.record({
  file: fc.nat(5),
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  how: fc.oneof(
    fc.record({ kind: fc.constant('flip' as const), bit: fc.nat(7) }),
    fc.record({ kind: fc.constant('garbage' as const), bytes: fc.uint8Array({ minLength: 1, maxLength: 4096 }) }),
    fc.record({ kind: fc.constant('zeros' as const), length: fc.integer({ min: 1, max: 4096 }) }),
    fc.record({ kind: fc.constant('cut' as const) }),
  ),
})
type Harm = typeof harm extends fc.Arbitrary<infer H> ? H : never

const damaged = (before: NonSharedBuffer, { at: part, how }: Harm): NonSharedBuffer => {
  const at = Math.floor(part * before.length)
  const after = Buffer.from(before)
  if (how.kind === 'cut') return after.subarray(0, at)
  if (how.kind === 'flip') after[at] = (after[at] ?? 0) ^ (1 << how.bit)
  else after.set((how.kind === 'zeros' ? Buffer.alloc(how.length) : how.bytes).subarray(0, after.length - at), at)
  return after
}

/** Returns the start of the batch that a cut has torn in the newest file, or the end of the file. */
const tornFrom = (before: Buffer, after: Buffer, number: number): number => {
  const found = [...recordsIn(before, number, FILE_HEAD_BYTES)]
  const torn = found.find(({ kind, at }) => {
    const isIntact = before.subarray(at, at + BATCH_NOTE).equals(after.subarray(at, at + BATCH_NOTE))
    return kind === BATCH && isIntact && at + before.readUInt32LE(at + HEAD_BYTES) > after.length
  })
  return torn?.at ?? after.length
}

/** Returns the intact records of a file, and the number of bytes outside of them. */
const survivors = (before: Buffer, cut: Buffer, number: number, isNewest: boolean) => {
  const tornAt = isNewest ? tornFrom(before, cut, number) : cut.length
  const after = cut.subarray(0, tornAt)
  const seqs: number[] = []
  let lost = before.subarray(0, FILE_HEAD_BYTES).equals(after.subarray(0, FILE_HEAD_BYTES))
    ? 0
    : Math.min(FILE_HEAD_BYTES, after.length)
  for (const { kind, at, end } of recordsIn(before, number, FILE_HEAD_BYTES)) {
    if (!before.subarray(at, end).equals(after.subarray(at, end))) lost += Math.max(Math.min(end, after.length) - at, 0)
    else if (kind === 1) seqs.push(seqIn({ bytes: before, start: at + HEAD_BYTES, end }))
  }
  return { seqs, lost: lost + cut.length - tornAt }
}

test('after any damage, delivers exactly the intact messages in order, and reports the loss to the byte', async () => {
  await mailbox.subscribe(ben, TOPIC)
  for (let round = 0; round < 100; round++)
    await publish(...texts(1 + (round % 3), round * 3).map(text => text.slice(0, 100 + round)))
  const sent = new Map((await mailbox.read(ben, TOPIC, 0, 1000)).map(({ seq, json }) => [seq, json]))
  await store.close()
  const original = folder
  const names = files()
  expect([sent.size, names.length > 4]).toEqual([199, true])
  await fc.assert(
    fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 3 }), async harms => {
      folder = mkdtempSync(join(tmpdir(), 'mailbox-damage-'))
      const contents = new Map(names.map(name => [name, readFileSync(join(original, name))]))
      for (const one of harms) {
        const name = names[one.file % names.length] ?? ''
        contents.set(name, damaged(contents.get(name) ?? Buffer.of(), one))
      }
      const seqs: number[] = []
      let lost = 0
      for (const [index, name] of names.entries()) {
        const [before, after] = [readFileSync(join(original, name)), contents.get(name) ?? Buffer.of()]
        writeFileSync(join(folder, name), after)
        const left = survivors(before, after, index + 1, index === names.length - 1)
        seqs.push(...left.seqs)
        lost += left.lost
        // The next file's head contains this file's length, so it shows whether the end of this file is missing.
        const next = contents.get(names[index + 1] ?? '')
        const isTold = next
          ?.subarray(0, FILE_HEAD_BYTES)
          .equals(readFileSync(join(original, names[index + 1] ?? '')).subarray(0, FILE_HEAD_BYTES))
        if (isTold) lost += before.length - after.length
      }
      open()
      try {
        expect(damages.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(lost)
        await mailbox.subscribe(ben, TOPIC)
        const found = await mailbox.read(ben, TOPIC, 0, 1000)
        expect(found.map(({ seq }) => seq)).toEqual(seqs)
        for (const { seq, json } of found) expect(json).toBe(sent.get(seq))
      } finally {
        await store.close()
        rmSync(folder, { recursive: true })
      }
    }),
    { numRuns: 150, endOnFailure: true },
  )
  folder = original
  open()
})

test('a message damaged while the relay runs is detected by reading, not delivered, and removed', async () => {
  await mailbox.subscribe(ben, TOPIC)
  await publish('first', 'second', 'third')
  await restart()
  const path = join(folder, files()[0] ?? '')
  const bytes = readFileSync(path)
  const at = bytes.indexOf('second')
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
  expect(await waiting(ben)).toEqual(['first', 'third'])
  expect(damages).toMatchObject([{ path, reason: 'its checksum does not match' }])
  expect(mailbox.size().messages).toBe(2)
  expect(await waiting(ben)).toEqual(['first', 'third'])
  expect(damages).toHaveLength(1)
})

test('reports a missing file', async () => {
  await mailbox.subscribe(ben, TOPIC)
  for (const text of texts(60)) await publish(text)
  await store.close()
  const [first, second, ...others] = files()
  expect(others.length).toBeGreaterThan(0)
  const path = join(folder, second ?? '')
  copyFileSync(path, `${path}.aside`)
  rmSync(path)
  open()
  expect(damages).toEqual([{ path, at: 0, bytes: 0, reason: 'it is missing' }])
  expect((await waiting(ben)).length).toBeLessThan(60)
  expect(first).toBe('messages-000001.log')
})
