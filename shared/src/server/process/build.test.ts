import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readBuild } from './build.ts'

const COMMIT = '3f9c1e7a0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'build-'))
  await mkdir(join(root, '.git/refs/heads'), { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

const put = (path: string, text: string) => writeFile(join(root, '.git', path), text)

test('reads the commit of a branch, of a packed ref, and of a detached HEAD', async () => {
  await put('HEAD', 'ref: refs/heads/main\n')
  expect(readBuild(root).commit).toBeUndefined()
  await put(
    'packed-refs',
    `# pack-refs with: peeled\n${'0'.repeat(40)} refs/heads/other-main\n${COMMIT} refs/heads/main\n`,
  )
  expect(readBuild(root).commit).toBe('3f9c1e7')
  await put('refs/heads/main', `aaaaaaa${COMMIT.slice(7)}\n`)
  expect(readBuild(root).commit).toBe('aaaaaaa')
  await put('HEAD', `${COMMIT}\n`)
  expect(readBuild(root).commit).toBe('3f9c1e7')
})

test('outside a clone there is a version but no commit', async () => {
  await rm(join(root, '.git'), { recursive: true })
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
  expect(readBuild(root)).toEqual({ version, commit: undefined })
})
