/**
 * The load generator, a separate process so that its CPU time is not counted as the server's. It takes one job and
 * returns one result.
 */
import type { Target } from './client.ts'
import { type Workloads, workloads } from './workloads.ts'

export type Job = { workload: keyof Workloads; target: Target; options: unknown }

process.once('disconnect', () => process.exit())
process.once('message', async ({ workload, target, options }: Job) => {
  const work = workloads[workload] as (target: Target, options: unknown) => Promise<unknown>
  process.send?.(await work(target, options))
})
