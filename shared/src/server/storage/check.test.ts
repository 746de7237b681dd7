import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runCheck } from './check.ts'
import { openOwnStore } from './store.ts'

/** Calls that change the owner of a file, and the error that the system returns for them. */
const owners = vi.hoisted(() => ({ given: [] as { inode: number; uid: number; gid: number }[], error: '' }))

vi.mock('node:fs', async original => {
  const real = await original<typeof import('node:fs')>()
  const fchownSync = (file: number, uid: number, gid: number): void => {
    if (owners.error !== '') throw Object.assign(new Error(owners.error), { code: owners.error })
    owners.given.push({ inode: real.fstatSync(file).ino, uid, gid })
  }
  return { ...real, fchownSync }
})

let folder: string
let said: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'check-'))
  said = ''
  for (const output of [process.stdout, process.stderr])
    vi.spyOn(output, 'write').mockImplementation(words => {
      said += words
      return true
    })
  owners.given = []
  owners.error = ''
  // Each start of the store begins a new file.
  for (let start = 0; start < 3; start++) {
    const store = await openOwnStore(folder, {})
    await store.table<string, number>('t').put(start, 'value')
    await store.close()
  }
  rmSync(join(folder, 'tables-000002.log'))
  const path = join(folder, 'tables-000001.log')
  const bytes = readFileSync(path)
  bytes[40] = (bytes[40] ?? 0) ^ 1
  writeFileSync(path, bytes)
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

const newFiles = (before: readonly string[]): string[] => readdirSync(folder).filter(name => !before.includes(name))

test('a repair gives its new files to the owner of the folder', async () => {
  const before = readdirSync(folder)
  expect(await runCheck(['--repair', folder])).toBe(0)
  const files = newFiles(before)
  expect(files.toSorted()).toEqual(['tables-000001.log.24.damaged', 'tables-000002.log'])
  const { uid, gid } = statSync(folder)
  const expected = files.map(name => ({ inode: statSync(join(folder, name)).ino, uid, gid }))
  expect(owners.given).toHaveLength(files.length)
  expect(owners.given).toEqual(expect.arrayContaining(expected))
})

test('a repair succeeds for a user who may not change the owner of files', async () => {
  owners.error = 'EPERM'
  expect(await runCheck(['--repair', folder])).toBe(0)
  expect(await runCheck(['--check', folder])).toBe(0)
})

test('a repair does not follow a link that has the name of a new file', async () => {
  const other = join(folder, 'other')
  writeFileSync(other, 'untouched')
  symlinkSync(other, join(folder, 'tables-000001.log.24.damaged'))
  expect(await runCheck(['--repair', folder])).toBe(0)
  expect(readFileSync(other, 'utf8')).toBe('untouched')
  expect(said).toContain('damaged: tables-000001.log')
})
