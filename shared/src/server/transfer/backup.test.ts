import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listOf, text } from '../process/config.ts'
import { markRedis } from '../storage/redis-mark.ts'
import { openOwnStore } from '../storage/store.ts'
import { openSigningKey } from '../webhooks/signing-key.ts'
import { runBackup } from './backup.ts'
import { beginMark, writeMark } from './folder-mark.ts'

/** Number of bytes that the disk accepts, and a folder that is a mount point. */
const disk = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY, mountPoint: '' }))

vi.mock('node:fs', async original => {
  const real = await original<typeof import('node:fs')>()
  const writeSync = (file: number, bytes: Uint8Array, at: number): number => {
    if (disk.left === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    const written = real.writeSync(file, bytes, at, Math.min(bytes.length - at, disk.left))
    disk.left -= written
    return written
  }
  const rmdirSync = (path: string): void => {
    if (path === disk.mountPoint) throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' })
    real.rmdirSync(path)
  }
  return { ...real, writeSync, rmdirSync }
})

const rows = {
  dataDir: { description: '', default: '.data/relay', parse: text },
  redisUrl: { description: '', default: [] as readonly string[], parse: listOf(text) },
}
const kind = { prefix: 'RELAY', name: 'relay', rows }

let base: string
let folder: string
let target: string
let said: { out: string; error: string }
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'backup-'))
  folder = join(base, 'data')
  target = join(base, 'backup')
  said = { out: '', error: '' }
  vi.spyOn(process.stdout, 'write').mockImplementation(words => {
    said.out += words
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation(words => {
    said.error += words
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  disk.left = Number.POSITIVE_INFINITY
  disk.mountPoint = ''
  rmSync(base, { recursive: true })
})

const run = (args = [target], env: Record<string, string> = {}): number =>
  runBackup(kind, { args: ['--backup', ...args], env: { RELAY_DATA_DIR: folder, ...env } })
const refuses = (words: string): void => {
  expect(run()).toBe(1)
  expect(said).toEqual({ out: '', error: `${words}\n` })
  expect(readdirSync(base).filter(name => name.includes('unfinished'))).toEqual([])
}
const fill = async (): Promise<void> => {
  const store = await openOwnStore(folder, {})
  openSigningKey(folder)
  await store.table<string, number>('t').put(1, 'one')
  await store.close()
}

test('a folder in use is copied without its lock, with the key, for its owner only', async () => {
  const store = await openOwnStore(folder, {})
  const key = openSigningKey(folder)
  await store.table<string, number>('t').put(1, 'one')
  expect(run()).toBe(0)
  const { size } = statSync(join(target, 'tables-000001.log'))
  expect(said).toEqual({ out: `copied 1 files with 1 records in ${size} bytes\n`, error: '' })
  expect(readdirSync(target).toSorted()).toEqual(['signing-key.pem', 'tables-000001.log'])
  expect(statSync(target).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(target)) expect(statSync(join(target, name)).mode & 0o777).toBe(0o600)
  await store.close()
  const restored = await openOwnStore(target, {})
  expect(restored.table('t').get(1)).toBe('one')
  expect(openSigningKey(target).publicKey).toBe(key.publicKey)
  await restored.close()
})

test('a server that has stored nothing yet is copied with its key', async () => {
  const store = await openOwnStore(folder, {})
  const key = openSigningKey(folder)
  expect(run()).toBe(0)
  expect(said).toEqual({ out: 'copied 0 files with 0 records in 0 bytes\n', error: '' })
  expect(readdirSync(target)).toEqual(['signing-key.pem'])
  expect(openSigningKey(target).publicKey).toBe(key.publicKey)
  await store.close()
})

test('an empty folder is filled, and flags take precedence over variables', async () => {
  await fill()
  mkdirSync(target)
  expect(run([target, '--data-dir', folder], { RELAY_DATA_DIR: '/none' })).toBe(0)
  expect(readdirSync(target)).toContain('tables-000001.log')
})

test('a target that is missing, not empty, a file or without a parent folder is refused', async () => {
  await fill()
  for (const args of [[], ['--data-dir', folder]]) {
    expect(run(args)).toBe(1)
    expect(said.error).toBe('--backup requires a new folder: --backup /var/backups/relay --data-dir .data/relay\n')
    said.error = ''
  }
  mkdirSync(target)
  writeFileSync(join(target, 'file'), '')
  refuses(`${target} is not empty: a backup needs a new or empty folder`)
  said.error = ''
  target = join(target, 'file')
  refuses(`${target} is a file or a symbolic link: name a new folder`)
  said.error = ''
  target = join(base, 'none', 'backup')
  refuses(`there is no folder ${join(base, 'none')}`)
  expect(existsSync(target)).toBe(false)
})

test('a mount point and a symbolic link are refused before anything is copied', async () => {
  await fill()
  mkdirSync(target)
  disk.mountPoint = target
  disk.left = 0
  refuses(`${target} is a mount point, which a backup cannot replace: name a new folder in it`)
  said.error = ''
  const link = join(base, 'link')
  symlinkSync(target, link)
  target = link
  refuses(`${link} is a file or a symbolic link: name a new folder`)
  disk.left = Number.POSITIVE_INFINITY
  expect(run([join(disk.mountPoint, 'new')])).toBe(0)
})

test('a source that is missing, not a data folder, moved to Redis or half exported is refused', async () => {
  refuses(`there is no folder ${folder}`)
  said.error = ''
  mkdirSync(folder)
  refuses(`${folder} is not the data folder of a server: it has neither a store nor a key`)
  await fill()
  const mark = beginMark(folder, 'import')
  writeMark(folder, { ...mark, isDone: true })
  expect(run()).toBe(1)
  expect(said.error).toContain('its contents were moved to Redis')
  beginMark(folder, 'export')
  expect(run()).toBe(1)
  expect(said.error).toContain('the export from Redis to it is not complete')
  expect(existsSync(target)).toBe(false)
})

test('a full disk leaves neither a backup nor a part of one', async () => {
  await fill()
  disk.left = 30
  refuses(`the backup of ${folder} in ${target} failed: the disk is full`)
  expect(existsSync(target)).toBe(false)
})

test('a server that stores in Redis is not backed up', () => {
  expect(run([target], { RELAY_REDIS_URL: 'redis://user:secret@127.0.0.1:6379' })).toBe(1)
  expect(said.error).toBe(
    'the relay stores in Redis (RELAY_REDIS_URL (--redis-url)): back up Redis itself, or use --export while no server runs\n',
  )
})

test('the folder of a server that stores in Redis is refused even without its settings, until it starts without Redis', async () => {
  await fill()
  markRedis(folder, true)
  refuses(`the relay of ${folder} stores in Redis: back up Redis itself, or use --export while no server runs`)
  expect(existsSync(target)).toBe(false)
  markRedis(folder, false)
  expect(run()).toBe(0)
})

test('an invalid setting is reported in one line', () => {
  expect(run([target, '--none', '1'])).toBe(1)
  expect(said.error).toBe("Unknown option '--none'; --help lists all flags\n")
})

test('damage of the folder is copied and reported', async () => {
  await fill()
  const path = join(folder, 'tables-000001.log')
  const store = await openOwnStore(folder, {})
  await store.table<string, number>('t').put(2, 'two')
  await store.close()
  const bytes = readFileSync(path)
  bytes[40] = (bytes[40] ?? 0) ^ 1
  writeFileSync(path, bytes)
  expect(run()).toBe(1)
  expect(said.out).toMatch(/^copied 2 files with 1 records/)
  expect(said.error).toMatch(/^damaged: tables-000001\.log: \d+ bytes from offset 24 cannot be read/)
  expect(said.error).toMatch(/the data folder is damaged, and so is the copy\n$/)
})
