/** Format, lint and types: each command of `npm run check` is a test. */
import { delimiter, dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { outcomeOf, spawnProgram } from '../support/child.ts'
import { root } from '../support/root.ts'
import { read } from './sources.ts'

const CHECK_MS = 300_000

const [, ...checks]: string[] = JSON.parse(read('package.json')).scripts.check.split(' && ')

/** Runs a command as npm does, with the programs of installed packages in PATH. */
const run = async (command: string): Promise<{ code: number | null; output: string }> => {
  const folders = [join(root, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH]
  const env = { ...process.env, PATH: folders.join(delimiter), FORCE_COLOR: '0' }
  const { code, said } = await outcomeOf(spawnProgram('sh', ['-c', command], root, env))
  return { code, output: stripVTControlCharacters(said) }
}

test.each(checks)('%s', { timeout: CHECK_MS }, async command => {
  const { code, output } = await run(command)
  expect(code, output).toBe(0)
})
