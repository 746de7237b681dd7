/** Runs programs in the launcher's place, and makes both exit together. */
import { type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { SetupError } from '../../../fallback-node.js'

const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const

/** A program that a signal terminated gets this plus the signal's number as its exit code, as in a shell. */
const BY_SIGNAL = 128

/** Milliseconds between checks whether the parent still runs. */
const LOOK_EVERY = 500

/** Runs a program until it exits, and forwards signals to it. Resolves with its exit code. */
export const runToEnd = (command: string, args: readonly string[], options: SpawnOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
    // The handlers are installed before the program runs, so that no signal terminates this process alone.
    for (const signal of FORWARDED) process.on(signal, forward)
    const child = spawn(command, args, options)
    const end = (): void => {
      for (const signal of FORWARDED) process.off(signal, forward)
    }
    child.once('error', ({ message }) => {
      end()
      reject(new SetupError(`${command} cannot be started: ${message}`))
    })
    child.once('exit', (code, signal) => {
      end()
      resolve(code ?? BY_SIGNAL + (signal ? constants.signals[signal] : 0))
    })
  })

/** Stops this process gracefully once its parent, with the PID `parent`, has exited without forwarding a signal. */
export const stopWithParent = (parent: number): void => {
  const look = (): void => {
    if (process.ppid === parent) return
    clearInterval(looking)
    process.kill(process.pid, 'SIGTERM')
  }
  const looking = setInterval(look, LOOK_EVERY)
  looking.unref()
  look()
}
