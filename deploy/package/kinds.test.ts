import { expect, test } from 'vitest'
import { KINDS, kindsOf, readKinds } from './kinds.ts'

const files = (...names: string[]) => names.map(name => ({ name }))

test('the kinds of published files follow from their names, and a file of no kind needs all of them', () => {
  expect(kindsOf(files('heliograph-relay-0.1.0.tgz', 'heliograph-bridge-9.9.9.tgz.cdx.json'))).toEqual(['servers'])
  expect(kindsOf(files('heliograph-wire-0.1.0.tgz', 'heliograph-chromium-0.1.0.zip'))).toEqual([
    'extension',
    'libraries',
  ])
  expect(kindsOf(files('heliograph-firefox-0.1.0.zip.cdx.json'))).toEqual(['extension'])
  expect(kindsOf(files('heliograph-evm-0.1.0.tgz', 'heliograph-other-0.1.0.tgz'))).toEqual(KINDS)
})

test('a command line names kinds in any order, or none for all', () => {
  expect(readKinds([])).toEqual(KINDS)
  expect(readKinds(['servers', 'libraries', 'servers'])).toEqual(['libraries', 'servers'])
  expect(() => readKinds(['servers', 'relay'])).toThrow('"relay" must be one of extension, libraries, servers')
})
