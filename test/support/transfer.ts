/** Runs `--import` and `--export` of a server, as operators do. */
import { join } from 'node:path'
import { outcomeOf, spawnNode } from './child.ts'
import { root } from './root.ts'

export type TransferResult = { status: number | null; lines: string[] }

export type RunningTransfer = {
  ended: Promise<TransferResult>
  /** Ends it at once with SIGKILL. */
  kill: () => void
}

/** Starts a command of a server: `['--import', folder, '--redis-url', url]`. */
export const startTransfer = (folder: 'relay-server' | 'bridge-server', args: readonly string[]): RunningTransfer => {
  const child = spawnNode(['--import', 'tsx', join(root, folder, 'src/main.ts'), ...args])
  const ended = outcomeOf(child).then(({ code, said }) => ({ status: code, lines: said.trim().split('\n') }))
  return { ended, kill: () => void child.kill('SIGKILL') }
}

export const runTransfer = (...args: Parameters<typeof startTransfer>): Promise<TransferResult> =>
  startTransfer(...args).ended
