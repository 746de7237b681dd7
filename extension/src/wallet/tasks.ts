/** Work that takes seconds: one at a time, with its progress for the person to see, and with a way to call it off. */
import { rpcError } from '@heliograph/shared/errors'
import type { TaskName, TaskView } from '../messages.ts'

/** Tells how much is done, from 0 to 1. Throws 4001 when the work was called off, which ends it there. */
export type Progress = (done: number) => void

export type Tasks = {
  /** Does the work. Throws -32002 while other work is done, and 4001 as soon as it is called off. */
  run<T>(name: TaskName, work: (progress: Progress) => Promise<T>): Promise<T>
  /** What is being done. */
  current(): TaskView | null
  /** Calls it off, if something is. */
  cancel(): void
}

/** Pages are told at each such part of the whole. */
const STEPS = 50

const roundDown = (done: number): number => Math.floor(done * STEPS) / STEPS

/** `onChange` is called when work begins, gets on by a step, and ends. */
export const createTasks = (onChange: () => void): Tasks => {
  let current: { name: TaskName; progress: number; abort: AbortController } | null = null

  return {
    run: async (name, work) => {
      if (current) throw rpcError('resourceUnavailable', 'Something else is still being worked on')
      const abort = new AbortController()
      const task = { name, progress: 0, abort }
      current = task
      onChange()
      const calledOff = new Promise<never>((_, reject) => {
        abort.signal.addEventListener('abort', () => reject(abort.signal.reason))
      })
      const progress: Progress = done => {
        abort.signal.throwIfAborted()
        const step = roundDown(done)
        if (step === task.progress) return
        task.progress = step
        onChange()
      }
      try {
        return await Promise.race([work(progress), calledOff])
      } finally {
        current = null
        onChange()
      }
    },
    current: () => current && { name: current.name, progress: current.progress },
    cancel: () => current?.abort.abort(rpcError('userRejected', 'Called off')),
  }
}
