/** A terminal that runs a document's shell blocks in order. It stops the blocks' servers by process group. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { vi } from 'vitest'
import { type Block, missingLine } from './blocks.ts'

/** Milliseconds within which a block must print the documented output. */
export const PATIENCE = 240_000
const LOOK_MS = 50

export type Shell = {
  /**
   * Runs a block to its end, in the folder in which the previous block ended. Rejects if it fails or its output
   * differs.
   */
  run(block: Block): Promise<void>
  /**
   * Starts a block that keeps running, in the folder in which the previous block ended. `meet` can read its output so
   * far at any time.
   */
  start(block: Block, meet?: (output: () => string) => Promise<unknown>): Promise<void>
  /** Stops everything that was started. */
  stop(): Promise<void>
}

type Started = {
  child: ChildProcess
  /** Returns its standard output so far. */
  output: () => string
  /** Returns its standard output and standard error so far, for error messages. */
  all: () => string
  ended: Promise<number | null>
}

/** Process groups that are still running. They are stopped when this process exits. */
const groups = new Set<number>()
process.once('exit', () => {
  for (const group of groups) process.kill(-group, 'SIGTERM')
})

/** Starts a script in its own process group, so that its programs can be stopped with it. */
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

/** Prefix of the line in which a block reports the folder where it ended. */
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
      // A server that exits with 0 has printed all of its output.
      await Promise.all([meet(started.output), Promise.race([said, failed.then(() => said)])])
    },
    stop: async () => {
      for (const server of servers.reverse()) await stopGroup(server)
    },
  }
}
