/** The lists of test files name files that exist: a misspelt name would leave a file out without a word. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IN_BOTH, IN_ONE } from '../e2e/browsers.ts'
import * as suite from '../suite.ts'
import { root } from './root.ts'
import { NEEDS_OWN_PROCESS } from './unit-files.ts'

const missing = (files: readonly string[]): string[] =>
  files.filter(file => !file.includes('*') && !existsSync(join(root, file)))

test.each(Object.entries(suite))('%s', (_, files) => {
  expect(missing(files)).toEqual([])
})

test('a file of the gate that leaves cases out runs in both commands', () => {
  const gate = [...suite.GATE_BROWSER, ...suite.GATE_HOUSE, ...suite.GATE_SCREENS, ...suite.GATE_NODE]
  const parts = gate.filter(
    file => !file.includes('*') && /\bisComplete\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(parts.length).toBeGreaterThan(2)
  expect(parts.filter(file => !suite.IN_BOTH_COMMANDS.includes(file))).toEqual([])
})

test('a file of Node that replaces a module or a global function has a process of its own', () => {
  const folders = [
    'compat',
    'conformance',
    'faults',
    'fuzz',
    'names',
    'packages',
    'redis',
    'session',
    'site',
    'updates',
    'vectors',
  ]
  const files = folders.flatMap(folder =>
    readdirSync(join(root, 'test', folder), { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.test.ts'))
      .map(path => `test/${folder}/${path}`),
  )
  expect(files.length).toBeGreaterThan(60)
  const own = [...suite.ISOLATED_NODE, ...suite.ALONE]
  const replacing = files.filter(file => NEEDS_OWN_PROCESS.test(readFileSync(join(root, file), 'utf8')))
  expect(replacing.filter(file => !own.includes(file))).toEqual([])
})

test('the files of each browser', () => {
  const names = [...IN_BOTH, ...Object.keys(IN_ONE)]
  expect(names.length).toBeGreaterThan(30)
  expect(missing(names.map(name => `test/e2e/${name}.test.ts`))).toEqual([])
  expect(IN_BOTH.filter(name => name in IN_ONE)).toEqual([])
})
