import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../test/support/root.ts'
import { licencesOf } from './licences.ts'
import { linked, nativeLicences } from './native-licences.ts'

let folder: string
const at = (name: string): string => join(folder, name)
const install = (name: string, licence?: string): void => {
  mkdirSync(at(name))
  writeFileSync(join(at(name), 'package.json'), JSON.stringify({ name, version: '1.2.3', license: 'MIT' }))
  if (licence !== undefined) writeFileSync(join(at(name), 'LICENSE'), licence)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'licences-'))
  install('second', 'Holder of the second\r\nTerms\r\n')
  install('first', 'Holder of the first\n')
  install('without')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the text has each package with its version and licence, sorted by name, and then the other parts', () => {
  const line = '-'.repeat(80)
  expect(licencesOf([at('second'), at('first'), at('made up')], ['Another part'])).toBe(
    `first 1.2.3 (MIT)

Holder of the first

${line}

second 1.2.3 (MIT)

Holder of the second
Terms

${line}

Another part
`,
  )
})

test('a package without a licence file, whose holder is unknown, is refused', () => {
  expect(() => licencesOf([at('first'), at('without')], [])).toThrow('without has no licence file')
})

test('each licence of the native code is in the text, and comes from a fixed version', () => {
  const text = nativeLicences().join('\n')
  const files = readdirSync(join(root, 'deploy/package/native'))
  expect(linked.map(({ file }) => file).toSorted()).toEqual(files.toSorted())
  for (const { name, file, source } of linked) {
    expect(source, name).toMatch(/\/blob\/(?:[0-9a-f]{40}|v\d+\.\d+\.\d+)\//)
    const licence = readFileSync(join(root, 'deploy/package/native', file), 'utf8')
    expect(licence, name).toMatch(/Copyright \(c\)|Copyright 20/i)
    expect(text, name).toContain(licence.trim())
  }
})

/** A string in the native code for each library that is linked into it. */
const MARKS = ['boringssl/crypto/', 'lsquic_engine_new', 'XXH64', 'lshpack_', 'lsqpack_', 'ofats']
/** Strings of libraries that could be linked into it, but are not: libdeflate, libuv and zlib. */
const ABSENT = ['libdeflate_', 'uv__', 'Mark Adler']

test('the native code contains the listed libraries, and neither libdeflate, libuv nor zlib', () => {
  const bin = join(root, 'node_modules/uWebSockets.js/dist/bin')
  const shipped = readdirSync(bin).filter(name => /_(?:linux|darwin)_(?:x64|arm64)_(?:115|127)\.node$/.test(name))
  expect(shipped).toHaveLength(8)
  for (const name of shipped) {
    const code = readFileSync(join(bin, name))
    const found = (marks: readonly string[]) => marks.filter(mark => code.includes(mark))
    expect([found(MARKS), found(ABSENT)], name).toEqual([MARKS, []])
  }
})
