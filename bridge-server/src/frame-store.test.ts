import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOBODY } from '@heliograph/shared/server/limits/shares'
import { createLog } from '@heliograph/shared/server/process/log'
import { disk } from '@heliograph/shared/server/storage/failing-disk.fixture'
import { openStore, type Store } from '@heliograph/shared/server/storage/store'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Frame, openFrameStore } from './frame-store.ts'

vi.mock('node:fs', async original =>
  (await import('@heliograph/shared/server/storage/failing-disk.fixture')).failingDisk(await original()),
)

const log = createLog('test', 'silent')

let folder: string
let store: Store
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frames-'))
  store = openStore(folder)
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

const frameOf = (seq: number, text = `text ${seq}`): Frame => ({
  seq,
  topic: 'a topic',
  at: 1_800_000_000_000 + seq,
  size: Buffer.byteLength(text),
  publisher: 1,
  payers: NOBODY,
  text,
  isKept: false,
  isStored: false,
})

/** Returns the frames that a new process would load. */
const reopened = async () => {
  await store.close()
  store = openStore(folder)
  const frames = openFrameStore(store, log)
  return [...frames.load()].map(frame => ({ ...frame, text: frames.textOf(frame.seq) }))
}

test('kept frames are loaded again, complete and in order, without a publisher', async () => {
  const frames = openFrameStore(store, log)
  for (const seq of [1, 2, 10]) frames.keep(frameOf(seq, `grüße ${seq}`))
  const found = await reopened()
  expect(found).toEqual(
    [1, 2, 10].map(seq => ({ ...frameOf(seq, `grüße ${seq}`), publisher: 0, isKept: true, isStored: true })),
  )
})

test('a stored text is freed from memory and read from disk', async () => {
  const frames = openFrameStore(store, log)
  const frame = frameOf(1)
  frames.keep(frame)
  expect([frame.text, frames.count()]).toEqual(['text 1', 0])
  await frames.save()
  expect([frame.text, frames.count()]).toEqual([undefined, 1])
  expect(frames.textOf(frame.seq)).toBe('text 1')
})

test('forgotten frames are removed, before or after they are stored', async () => {
  const frames = openFrameStore(store, log)
  const [never, before, meanwhile, after] = [1, 2, 3, 4].map(seq => frameOf(seq)) as [Frame, Frame, Frame, Frame]
  for (const frame of [before, meanwhile, after]) frames.keep(frame)
  frames.forget(never)
  frames.forget(before)
  const committing = frames.save()
  await new Promise(setImmediate)
  frames.forget(meanwhile)
  await committing
  frames.forget(after)
  await frames.save()
  expect(frames.count()).toBe(0)
  expect(await reopened()).toEqual([])
})

test('a frame is written once, even if kept repeatedly', async () => {
  const frames = openFrameStore(store, log)
  const frame = frameOf(1)
  frames.keep(frame)
  frames.keep(frame)
  await frames.save()
  frames.keep(frame)
  await frames.save()
  expect(frames.count()).toBe(1)
  expect(await reopened()).toHaveLength(1)
})

test('refused frames stay in memory, can be forgotten, and are written once the disk has room', async () => {
  const frames = openFrameStore(store, log)
  const [first, second, third] = [1, 2, 3].map(seq => frameOf(seq)) as [Frame, Frame, Frame]
  disk.left = 0
  for (const frame of [first, second]) frames.keep(frame)
  await frames.save()
  expect(store.failure()).toBe('the disk is full')
  disk.left = Number.POSITIVE_INFINITY
  frames.keep(third)
  await frames.save()
  expect([frames.count(), first.text, second.text]).toEqual([0, 'text 1', 'text 2'])
  frames.forget(first)
  await frames.save()
  expect(frames.count()).toBe(0)
  await vi.waitFor(() => expect(store.failure()).toBeUndefined(), { timeout: 20_000 })
  await frames.save()
  expect(frames.count()).toBe(2)
  expect((await reopened()).map(({ seq }) => seq)).toEqual([2, 3])
})
