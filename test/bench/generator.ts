/** The load as a process of its own, so that what it costs is not counted as the server's: one job, one result. */
import type { Target } from './client.ts'
import { type Workloads, workloads } from './workloads.ts'

export type Job = { workload: keyof Workloads; target: Target; options: unknown }

process.once('disconnect', () => process.exit())
process.once('message', async ({ workload, target, options }: Job) => {
  const work = workloads[workload] as (target: Target, options: unknown) => Promise<unknown>
  process.send?.(await work(target, options))
})
