/** A relay or bridge as a person runs it: its own process, started from its main.ts, ended by a signal. */
import { once } from 'node:events'
import { join } from 'node:path'
import { spawnNode } from './child.ts'
import { root } from './root.ts'

export type Server = {
  pid: number
  /** What it printed after `listening on`. */
  url: string
  /** Resolves, saying how and with what it printed last, when the process is gone for whatever reason. */
  ended: Promise<string>
  /** Ends it: SIGTERM drains, SIGKILL is a crash. Resolves with the exit code, null after a crash. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

export type ServerOptions = {
  dataDir: string
  /** 0, the default, takes any free port. */
  port?: number
  /** Further flags, e.g. `['--log-level', 'debug']`. */
  args?: readonly string[]
  /** Bytes of the longest file that it may write; without it any. */
  fileBytes?: number
}

const WORDS_KEPT = 10_000
const LISTENING = /listening on (\S+)\n/

/** Starts `relay-server` or `bridge-server` and waits until it listens. Rejects with its own words when it does not. */
export const startServer = (
  folder: 'relay-server' | 'bridge-server',
  { dataDir, port = 0, args = [], fileBytes }: ServerOptions,
): Promise<Server> => {
  const script = join(root, folder, 'src/main.ts')
  return startListening(folder, [script, '--port', `${port}`, '--data-dir', dataDir, ...args], fileBytes)
}

/** Runs any script that says `listening on`; `fileBytes` as for a server. */
export const startListening = async (
  name: string,
  [script = '', ...args]: readonly string[],
  fileBytes?: number,
): Promise<Server> => {
  const child = spawnNode(['--import', 'tsx', script, ...args], root, fileBytes)
  const closed = once(child, 'close')
  let said = ''
  const ended = closed.then(([code, signal]) => `${name} ended with ${code ?? signal}: ${said.trim()}`)

  const url = await new Promise<string>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr]) {
      output.on('data', chunk => {
        said = (said + chunk).slice(-WORDS_KEPT)
        const found = LISTENING.exec(said)?.[1]
        if (found !== undefined) resolve(found)
      })
    }
    ended.then(words => reject(new Error(words)), reject)
  })

  return {
    pid: child.pid ?? 0,
    url,
    ended,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      const [code] = await closed
      return code
    },
  }
}
