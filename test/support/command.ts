/** Runs `--import`, `--export`, `--check` and the other commands of a server, as operators do. */
import { outcomeOf, spawnNode } from './child.ts'
import { type ServerName, scriptOf } from './server-scripts.ts'

export type CommandResult = { status: number | null; lines: string[] }

export type RunningCommand = {
  ended: Promise<CommandResult>
  /** Kills the command at once with SIGKILL. */
  kill: () => void
}

/** Starts a server's command, for example with `['--import', folder, '--redis-url', url]`. */
export const startCommand = async (name: ServerName, args: readonly string[]): Promise<RunningCommand> => {
  const child = spawnNode([await scriptOf(name), ...args])
  const ended = outcomeOf(child).then(({ code, said }) => ({ status: code, lines: said.trim().split('\n') }))
  return { ended, kill: () => void child.kill('SIGKILL') }
}

export const runCommand = async (...args: Parameters<typeof startCommand>): Promise<CommandResult> =>
  (await startCommand(...args)).ended
