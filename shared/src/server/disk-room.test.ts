import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDiskRoom } from './disk-room.ts'

const KB = 1024
const MB = 1024 * KB

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'room-'))
  path = join(folder, 'file')
  await writeFile(path, Buffer.alloc(10 * KB, 1))
})
afterEach(() => rm(folder, { recursive: true }))

test('where there is plenty of room, the file is left as it is', async () => {
  const room = openDiskRoom({ path, used: () => 10 * KB, unused: () => 0 })
  room.claim(MB)
  expect((await stat(path)).size).toBe(10 * KB)
  room.close()
})

const source = fileURLToPath(new URL('disk-room.ts', import.meta.url))

/**
 * Claims room for commits of so many bytes in a process that may write files of `limit` bytes, and uses none of it. Says
 * of each `true`, or why not, and how long the file is then.
 */
const claims = (limit: number, sizes: readonly number[], { used = 10 * KB, unused = 0 } = {}) => {
  const code = `
    import { statSync } from 'node:fs'
    import { openDiskRoom } from ${JSON.stringify(source)}
    const path = ${JSON.stringify(path)}
    const room = openDiskRoom({ path, used: () => ${used}, unused: () => ${unused} })
    const said = ${JSON.stringify(sizes)}.map(bytes => {
      try {
        room.claim(bytes)
        return true
      } catch (thrown) {
        return thrown.message
      }
    })
    console.log(JSON.stringify([said, statSync(path).size]))`
  const run = 'ulimit -f "$0" && exec "$@"'
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '--eval', code]
  // The shell counts in blocks of 512 bytes.
  const { stdout, stderr } = spawnSync('sh', ['-c', run, `${limit / 512}`, ...node], { encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  const [said, size]: [unknown[], number] = JSON.parse(stdout)
  return { said, size }
}

const FULL = 'its file has reached the longest length that this process may write'

test('where it is short, the file grows before it is needed, as far as it may', () => {
  const { said, size } = claims(8 * MB, [100 * KB, 2 * MB, 100 * MB])
  expect(said).toEqual([true, true, FULL])
  expect(size).toBe(8 * MB)
})

test('what takes out is let in where what stores is not', () => {
  expect(claims(64 * KB, [1, 0]).said).toEqual([FULL, FULL])
  expect(claims(MB, [1, 0, 0]).said).toEqual([FULL, true, true])
})

test('room inside the file counts when there is much of it, and some behind it', () => {
  const used = 10 * MB
  const unused = 6 * MB
  expect(claims(used + 300 * KB, [100 * KB, 0], { used, unused }).said).toEqual([FULL, true])
  expect(claims(used + MB, [100 * KB], { used, unused: MB }).said).toEqual([FULL])
  expect(claims(used + MB, [100 * KB], { used, unused }).said).toEqual([true])
  expect(claims(used + MB, [3 * MB], { used, unused }).said).toEqual([FULL])
})
