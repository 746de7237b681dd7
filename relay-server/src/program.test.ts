import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { otherUses } from '@heliograph/shared/server/service/help'
import { runProgram } from '@heliograph/shared/server/service/program'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { relayProgram } from './program.ts'

const MISSING = join(tmpdir(), 'heliograph-without-a-folder')

let exitCode: typeof process.exitCode
let printed: string
beforeEach(() => {
  exitCode = process.exitCode
  printed = ''
  for (const output of [process.stdout, process.stderr])
    vi.spyOn(output, 'write').mockImplementation(text => {
      printed += text
      return true
    })
})
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = exitCode
})

/** Runs the program, and returns whether it started a server. */
const serves = async (...args: readonly string[]): Promise<boolean> => {
  const serve = vi.fn(async () => undefined)
  await runProgram(relayProgram, 'heliograph-relay', { args, env: { RELAY_DATA_DIR: MISSING } }, serve)
  return serve.mock.calls.length > 0
}

test.each(otherUses)('$usage is in the help, and starts no server', async ({ usage, description }) => {
  const [flag = ''] = usage.split(' ')
  expect(await serves(flag, MISSING)).toBe(false)
  expect(await serves('--help')).toBe(false)
  const line = printed.split('\n').find(text => text.startsWith(`heliograph-relay ${usage} `))
  expect(line?.endsWith(`  ${description}`)).toBe(true)
})

test('settings alone start the server', async () => {
  expect(await serves('--port', '0')).toBe(true)
  expect(printed).toBe('')
})
