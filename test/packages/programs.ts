/** Runs programs, some of them servers, with a separate environment. */
import { once } from 'node:events'
import { spawnProgram } from '../support/child.ts'

export type Result = { code: number | null; out: string; err: string }

export type Running = {
  url: string
  pid: number
  err: () => string
  stop: (signal?: NodeJS.Signals) => Promise<Result>
}

type Env = Readonly<Record<string, string>>

const LISTENING = /listening on (\S+)\n/

/** Runs programs in a folder, with nothing from this process's environment. */
export const programsIn = (folder: string, env: Env) => {
  const start = (command: string, args: readonly string[], more: Env = {}) => {
    const child = spawnProgram(command, args, folder, { ...env, ...more })
    let [out, err] = ['', '']
    child.stdout.on('data', chunk => (out += chunk))
    child.stderr.on('data', chunk => (err += chunk))
    const ended = once(child, 'close').then(([code]): Result => ({ code, out, err }))
    return { child, ended, out: () => out, err: () => err }
  }

  const run = async (command: string, args: readonly string[], more: Env = {}): Promise<Result> =>
    start(command, args, more).ended

  /** Starts a server and waits until it listens. Rejects with its output if it does not. */
  const serve = async (command: string, args: readonly string[], more: Env = {}): Promise<Running> => {
    const { child, ended, out, err } = start(command, args, more)
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', () => {
        const [, found] = LISTENING.exec(out()) ?? []
        if (found !== undefined) resolve(found)
      })
      ended.then(({ code }) => reject(new Error(`${command} exited with ${code}: ${out()}${err()}`)), reject)
    })
    const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<Result> => {
      child.kill(signal)
      return ended
    }
    return { url, pid: child.pid ?? 0, err, stop }
  }

  return { run, serve }
}
