/** Runs tasks that take seconds: one at a time, with progress, and cancellable. */
import type { TaskName, TaskView } from '../../messages.ts'
import { rpcError } from '../text/errors.ts'
import { createSignal, type Observable } from './turns.ts'

/** Reports progress from 0 to 1. Throws 4001 if the task was cancelled, which makes the task stop. */
export type Progress = (done: number) => void

/** Observers are notified when a task starts, progresses by a step, and ends. */
export type Tasks = Observable & {
  /** Runs a task. Throws -32002 if another one is running, 4001 as soon as it is cancelled. */
  run<T>(name: TaskName, work: (progress: Progress) => Promise<T>): Promise<T>
  /**
   * Runs work that the user did not ask for, unless a task or other such work is running. The signal is aborted when a
   * task starts, and by `cancel`.
   */
  behind(work: (signal: AbortSignal) => Promise<void>): Promise<void>
  /** Returns the running task, or null. */
  current(): TaskView | null
  /** Cancels the running task and the work behind it, if any. */
  cancel(): void
}

/** Maximum number of progress updates per task. */
const STEPS = 50

const roundDown = (done: number): number => Math.floor(done * STEPS) / STEPS

export const createTasks = (): Tasks => {
  const { observe, notify } = createSignal()
  let current: { name: TaskName; progress: number; abort: AbortController } | null = null
  let behind: AbortController | null = null

  return {
    observe,
    run: async (name, work) => {
      if (current) throw rpcError('resourceUnavailable', 'busy')
      behind?.abort()
      const abort = new AbortController()
      const task = { name, progress: 0, abort }
      current = task
      notify()
      const cancelled = new Promise<never>((_, reject) => {
        abort.signal.addEventListener('abort', () => reject(abort.signal.reason))
      })
      const progress: Progress = done => {
        abort.signal.throwIfAborted()
        const step = roundDown(done)
        if (step === task.progress) return
        task.progress = step
        notify()
      }
      try {
        return await Promise.race([work(progress), cancelled])
      } finally {
        current = null
        notify()
      }
    },
    behind: async work => {
      if (current || behind) return
      const own = new AbortController()
      behind = own
      try {
        await work(own.signal)
      } finally {
        behind = null
      }
    },
    current: () => current && { name: current.name, progress: current.progress },
    cancel: () => {
      behind?.abort()
      current?.abort.abort(rpcError('userRejected', 'cancelled'))
    },
  }
}
