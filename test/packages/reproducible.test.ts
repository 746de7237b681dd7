/** The archives of the libraries are made from the sources alone. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeLibraries } from '../../deploy/package/libraries.ts'
import { root } from '../support/root.ts'

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Making the archives compiles both libraries, and takes half a minute on a busy machine. */
const MAKE_MS = 300_000

/** Prints the name and the hash of each archive. */
const PROGRAM = `
  import { createHash } from 'node:crypto'
  import { makeLibraries } from './deploy/package/libraries.ts'
  const hash = bytes => createHash('sha256').update(bytes).digest('hex')
  console.log(JSON.stringify((await makeLibraries()).map(({ name, bytes }) => [name, hash(bytes)])))`

test('the archives are the same bytes from another folder, time zone, language and home', {
  timeout: MAKE_MS,
}, async () => {
  const copy = await mkdtemp(join(tmpdir(), 'heliograph-elsewhere-'))
  for (const path of ['package.json', 'LICENSE', 'shared/package.json', 'shared/src', 'deploy/package'])
    await cp(join(root, path), join(copy, path), { recursive: true })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  await writeFile(join(copy, 'make.js'), PROGRAM)
  const env = { PATH: process.env.PATH, TZ: 'Asia/Tokyo', LC_ALL: 'tr_TR.UTF-8', HOME: copy, USER: 'somebody' }
  const args = ['--import', join(root, 'node_modules/tsx/dist/loader.mjs'), 'make.js']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: copy, env })
  await rm(copy, { recursive: true })
  const here = (await makeLibraries()).map(({ name, bytes }) => [name, hash(bytes)])
  expect(here).toHaveLength(2)
  expect(JSON.parse(stdout)).toEqual(here)
})
