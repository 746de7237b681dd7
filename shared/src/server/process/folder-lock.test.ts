import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeFolder } from './folder-lock.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folder-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

const source = fileURLToPath(new URL('folder-lock.ts', import.meta.url))

/** A separate process that locks the folder, prints a line and waits. */
const holder = async (path: string) => {
  const code = `import { takeFolder } from '${source}'; await takeFolder('${path}'); console.log('taken'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code])
  await once(child.stdout, 'data')
  const ended = once(child, 'close')
  return {
    pid: child.pid,
    pause: () => child.kill('SIGSTOP'),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('a folder is locked until it is released, and no file remains', async () => {
  const give = await takeFolder(folder)
  await expect(takeFolder(folder)).rejects.toThrow(
    `the data folder ${folder} cannot be used: process ${process.pid} uses it; every server needs its own folder`,
  )
  give()
  const giveAgain = await takeFolder(folder)
  giveAgain()
  expect(await readdir(folder)).toEqual([])
})

test('a live process keeps its lock even when suspended, and a killed one loses it', async () => {
  const other = await holder(folder)
  other.pause()
  await expect(takeFolder(folder)).rejects.toThrow(`process ${other.pid} uses it`)
  await other.kill()
  expect(await readdir(folder)).toHaveLength(1)
  const give = await takeFolder(folder)
  give()
  expect(await readdir(folder)).toEqual([])
})

test('every user who can reach the folder can connect to its lock, and thus learns whether its process has exited', async () => {
  const give = await takeFolder(folder)
  const [name = ''] = await readdir(folder)
  expect((await stat(join(folder, name))).mode & 0o222).toBe(0o222)
  give()
})

test('of two processes that start together at most one gets the lock', async () => {
  for (let round = 0; round < 20; round++) {
    const outcomes = await Promise.allSettled([takeFolder(folder), takeFolder(folder)])
    const given = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(given.length).toBeLessThanOrEqual(1)
    for (const give of given) give()
  }
})

test('creates and locks a folder with a long path', async () => {
  const long = join(folder, 'x'.repeat(100), 'y'.repeat(100))
  const give = await takeFolder(long)
  await expect(takeFolder(long)).rejects.toThrow('uses it')
  give()
  expect(await readdir(long)).toEqual([])
})

test('the error names a path that cannot be a folder', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  await expect(takeFolder(join(file, 'data'))).rejects.toThrow(
    `the data folder ${join(file, 'data')} cannot be used: ENOTDIR`,
  )
})
