/** The lists of test files name only existing files: a misspelt name would silently leave out a test file. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IN_BOTH, IN_ONE } from '../e2e/browsers.ts'
import * as suite from '../suite.ts'
import { root } from './root.ts'

const missing = (files: readonly string[]): string[] =>
  files.filter(file => !file.includes('*') && !existsSync(join(root, file)))

test.each(Object.entries(suite))('%s', (_, files) => {
  expect(missing(files)).toEqual([])
})

test('a file that leaves out cases in the gate runs in both commands', () => {
  const gate = [...suite.GATE_BROWSER, ...suite.GATE_HOUSE, ...suite.GATE_SCREENS, ...suite.GATE_NODE]
  const parts = gate.filter(
    file => !file.includes('*') && /\bisComplete\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(parts.length).toBeGreaterThan(2)
  expect(parts.filter(file => !suite.IN_BOTH_COMMANDS.includes(file))).toEqual([])
})

test('the lists of files for each browser name existing files, each once', () => {
  const names = [...IN_BOTH, ...Object.keys(IN_ONE)]
  expect(names.length).toBeGreaterThan(30)
  expect(missing(names.map(name => `test/e2e/${name}.test.ts`))).toEqual([])
  expect(IN_BOTH.filter(name => name in IN_ONE)).toEqual([])
})
