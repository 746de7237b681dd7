/** Loads a server from another process; see generator.ts. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Target } from './client.ts'
import type { Job } from './generator.ts'
import { pin } from './machine.ts'
import type { Workloads } from './workloads.ts'

const generator = fileURLToPath(new URL('generator.ts', import.meta.url))

/** Runs a workload and returns its result. Rejects if it fails; standard error then has the reason. */
export const generate = async <K extends keyof Workloads>(
  workload: K,
  target: Target,
  options: Parameters<Workloads[K]>[1],
): Promise<Awaited<ReturnType<Workloads[K]>>> => {
  const child = fork(generator, { execArgv: ['--import', 'tsx'] })
  const over = once(child, 'exit').then(([code]) => {
    throw new Error(`the workload ${workload} exited with ${code}`)
  })
  pin(child.pid, 'load')
  child.send({ workload, target, options } satisfies Job)
  try {
    const [result] = await Promise.race([once(child, 'message'), over])
    return result
  } finally {
    over.catch(() => undefined)
    child.kill()
  }
}
