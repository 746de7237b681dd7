import { gunzipSync, unzipSync } from 'fflate'
import { parseTar } from 'nanotar'
import { expect, test } from 'vitest'
import { tgz, zip } from './archives.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const entries = [
  ['b/program.js', bytes('#!/usr/bin/env node\n')],
  ['a.txt', bytes('ä'.repeat(5000))],
  ['empty', new Uint8Array()],
] as const

test('a tgz contains the files, and programs are executable', () => {
  const files = parseTar(gunzipSync(tgz(new Map(entries), new Set(['b/program.js']))))
  expect(files.map(({ name, data, attrs }) => [name, data?.length ?? 0, attrs?.mode?.slice(-3)])).toEqual([
    ['a.txt', 10_000, '644'],
    ['b/program.js', 20, '755'],
    ['empty', 0, '644'],
  ])
})

test('a ZIP archive contains the files', () => {
  const files = unzipSync(zip(new Map(entries)))
  expect(files).toEqual(Object.fromEntries(entries))
})

test('the order in which files are found does not change an archive', () => {
  expect(tgz(new Map(entries.toReversed()))).toEqual(tgz(new Map(entries)))
  expect(zip(new Map(entries.toReversed()))).toEqual(zip(new Map(entries)))
})

test('a path too long for a tar header is refused', () => {
  expect(() => tgz(new Map([['ä'.repeat(51), bytes('')]]))).toThrow('is longer than 100 bytes')
})
