import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
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

/** A process of its own that takes the folder, says so and waits. */
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

test('a folder is for one alone until it is given back, and nothing stays behind', async () => {
  const give = await takeFolder(folder)
  await expect(takeFolder(folder)).rejects.toThrow(
    `the data folder ${folder} cannot be used: process ${process.pid} has it; every server needs a folder of its own`,
  )
  give()
  const giveAgain = await takeFolder(folder)
  giveAgain()
  expect(await readdir(folder)).toEqual([])
})

test('a process that lives has its folder, even one that is stopped, and one that was killed does not', async () => {
  const other = await holder(folder)
  other.pause()
  await expect(takeFolder(folder)).rejects.toThrow(`process ${other.pid} has it`)
  await other.kill()
  expect(await readdir(folder)).toHaveLength(1)
  const give = await takeFolder(folder)
  give()
  expect(await readdir(folder)).toEqual([])
})

test('two that start together do not both get it', async () => {
  for (let round = 0; round < 20; round++) {
    const outcomes = await Promise.allSettled([takeFolder(folder), takeFolder(folder)])
    const given = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(given.length).toBeLessThanOrEqual(1)
    for (const give of given) give()
  }
})

test('a folder with a long path is made, and taken as any other', async () => {
  const long = join(folder, 'x'.repeat(100), 'y'.repeat(100))
  const give = await takeFolder(long)
  await expect(takeFolder(long)).rejects.toThrow('has it')
  give()
  expect(await readdir(long)).toEqual([])
})

test('what cannot be a folder is named', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  await expect(takeFolder(join(file, 'data'))).rejects.toThrow(
    `the data folder ${join(file, 'data')} cannot be used: ENOTDIR`,
  )
})
