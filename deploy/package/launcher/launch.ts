/**
 * Starts a packaged server: in this process, or under the fallback Node if the running version cannot load the native
 * code. The other uses of the command need no native code.
 */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processSources, type Sources } from '@heliograph/shared/server/process/config'
import { type Program, type ProgramRows, runProgram } from '@heliograph/shared/server/service/program'
import { run } from '@heliograph/shared/server/service/run'
import { installFallbackNode, NATIVE_CODE, npmCommand, SetupError } from '../../../fallback-node.js'
import { runToEnd, stopWithParent } from './child.ts'
import { nodeFolder } from './node-choice.ts'

const STDERR = 2

/** Environment variable with the launcher's PID, for the process that it starts. */
const LAUNCHER = 'HELIOGRAPH_LAUNCHER'

/**
 * Runs npm, and resolves with true if it succeeded. Its output goes to standard error: standard output is the server's.
 */
const npm = async (...args: string[]): Promise<boolean> => {
  const [command, ...first] = npmCommand()
  return (await runToEnd(command, [...first, ...args], { stdio: ['ignore', STDERR, STDERR] })) === 0
}

/**
 * Runs the script again under the fallback Node, with the program's name as the process name. Resolves with its exit
 * code.
 */
const runElsewhere = async (name: string, script: string, { args, env }: Sources): Promise<number> => {
  const owner = { user: process.getuid?.() ?? 0, group: process.getgid?.() ?? 0 }
  const folder = nodeFolder(dirname(script), { env, platform: process.platform, home: homedir(), ...owner })
  const node = await installFallbackNode(folder, npm)
  const within = { ...env, [LAUNCHER]: `${process.pid}` }
  return runToEnd(node, [...process.execArgv, script, ...args], { argv0: name, env: within, stdio: 'inherit' })
}

/**
 * Returns the PID of the parent process. This process exits with it, because the launcher may be killed, and the shell
 * of npx exits on a signal without forwarding it.
 */
const parentOf = ({ env }: Sources): number | undefined => {
  const launcher = env[LAUNCHER]
  if (launcher !== undefined) return Number(launcher)
  return env.npm_command === 'exec' ? process.ppid : undefined
}

/** Runs the program, and starts the server if no other use was requested. `url` is the URL of the server's script. */
export const launch = async <R extends ProgramRows>(program: Program<R>, url: string): Promise<void> => {
  const { name } = program
  const script = fileURLToPath(url)
  const sources = processSources()
  const serve = async (): Promise<void> => {
    const parent = parentOf(sources)
    if (parent !== undefined) stopWithParent(parent)
    if (existsSync(join(dirname(script), 'bin', NATIVE_CODE))) await run(program, sources)
    else process.exitCode = await runElsewhere(name, script, sources)
  }
  try {
    await runProgram(program, name, sources, serve)
  } catch (thrown) {
    if (!(thrown instanceof SetupError)) throw thrown
    process.stderr.write(`${name}: ${thrown.message}\n`)
    process.exitCode = 1
  }
}
