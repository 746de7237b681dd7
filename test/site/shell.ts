/** A terminal: runs the shell blocks of a document in their order, and stops its servers by their ids. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { vi } from 'vitest'
import { type Block, missingLine } from './blocks.ts'

/** Milliseconds in which a block must say what its document shows. */
export const PATIENCE = 240_000
const LOOK_MS = 50

export type Shell = {
  /** Runs a block to its end, in the folder where the one before ended. Rejects if it fails or says something else. */
  run(block: Block): Promise<void>
  /** Starts a block that goes on running, in the folder where the last one ended. `meet` gets its output so far, as often as it wants. */
  start(block: Block, meet?: (output: () => string) => Promise<unknown>): Promise<void>
  /** Stops all that was started. */
  stop(): Promise<void>
}

type Started = {
  child: ChildProcess
  /** Its standard output so far. */
  output: () => string
  /** Its standard output and its errors so far, for a report. */
  all: () => string
  ended: Promise<number | null>
}

/** Process groups that still run. They are stopped when this process ends. */
const groups = new Set<number>()
process.once('exit', () => {
  for (const group of groups) process.kill(-group, 'SIGTERM')
})

/** In a process group of its own, so that its programs can be stopped with it. */
const launch = (script: string, cwd: string, env: NodeJS.ProcessEnv): Started => {
  const child = spawn('sh', ['-e', '-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let all = ''
  child.stdout.on('data', chunk => (said += chunk))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (all += chunk))
  const { pid } = child
  if (pid !== undefined) groups.add(pid)
  const ended = once(child, 'close').then(([code]) => {
    if (pid !== undefined) groups.delete(pid)
    return code
  })
  return { child, output: () => stripVTControlCharacters(said), all: () => stripVTControlCharacters(all), ended }
}

const stopGroup = async ({ child, ended }: Started): Promise<void> => {
  if (child.pid !== undefined && groups.has(child.pid)) process.kill(-child.pid, 'SIGTERM')
  await ended
}

/** Marks the line in which a block tells its last folder. */
const FOLDER = 'folder at the end: '

export const openShell = (folder: string, env: NodeJS.ProcessEnv): Shell => {
  const servers: Started[] = []
  let cwd = folder
  return {
    run: async ({ script, output }) => {
      const started = launch(`${script}\nprintf '\\n%s%s\\n' '${FOLDER}' "$PWD"`, cwd, env)
      const code = await started.ended
      const said = started.output()
      if (code !== 0) throw new Error(`exit code ${code} of:\n${script}\n${started.all()}`)
      const missing = missingLine(output, said)
      if (missing !== undefined) throw new Error(`the output has no line "${missing}":\n${script}\n${started.all()}`)
      cwd = said.slice(said.lastIndexOf(FOLDER) + FOLDER.length).trim()
    },
    start: async ({ script, output }, meet = async () => undefined) => {
      const started = launch(script, cwd, env)
      servers.push(started)
      const failed = started.ended.then(code => {
        if (code !== 0) throw new Error(`exit code ${code} of:\n${script}\n${started.all()}`)
      })
      const said = vi.waitFor(
        () => {
          const missing = missingLine(output, started.output())
          if (missing !== undefined) throw new Error(`the output has no line "${missing}":\n${started.all()}`)
        },
        { timeout: PATIENCE, interval: LOOK_MS },
      )
      for (const promise of [failed, said]) promise.catch(() => undefined)
      // A server that ends well has said all that it will say.
      await Promise.all([meet(started.output), Promise.race([said, failed.then(() => said)])])
    },
    stop: async () => {
      for (const server of servers.reverse()) await stopGroup(server)
    },
  }
}
