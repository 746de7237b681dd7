/** SIGTERM to a server that is starting on a busy machine, at several moments: it exits and leaves nothing running. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { spawnNode } from '../support/child.ts'
import { scriptOf } from '../support/server-scripts.ts'

let folder: string
let burner: ChildProcess
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stopping-'))
  burner = spawnNode(['--eval', 'for (;;);'])
})
afterEach(async () => {
  burner.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

test.each(['relay-server', 'bridge-server'] as const)('while the %s starts', async name => {
  for (const milliseconds of [50, 100, 200, 500, 1000]) {
    const child = spawnNode([await scriptOf(name), '--port', '0', '--data-dir', folder])
    const closed = once(child, 'close')
    await pause(milliseconds)
    child.kill('SIGTERM')
    const [code, signal] = await closed
    // Before the server's first line of code runs, SIGTERM kills the process.
    expect(signal ?? code).toBeOneOf([0, 'SIGTERM'])
  }
})
