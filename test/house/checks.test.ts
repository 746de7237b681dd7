/** Format, lint and types: the commands of `npm run check`, each a test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../support/root.ts'
import { read } from './sources.ts'

const CHECK_MS = 300_000

const [, ...checks]: string[] = JSON.parse(read('package.json')).scripts.check.split(' && ')

/** Runs a command as npm does, with the installed programs in its path. */
const run = async (command: string): Promise<{ code: number; output: string }> => {
  const folders = [join(root, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH]
  const env = { ...process.env, PATH: folders.join(delimiter), FORCE_COLOR: '0' }
  const child = spawn('sh', ['-c', command], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output: stripVTControlCharacters(output) }
}

test.each(checks)('%s', { timeout: CHECK_MS }, async command => {
  const { code, output } = await run(command)
  expect(code, output).toBe(0)
})
