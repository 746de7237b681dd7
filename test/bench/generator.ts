/**
 * The load generator. It runs in a separate process, so that its CPU time does not count as the server's. It accepts
 * one job and returns one result.
 */
import type { Target } from './client.ts'
import { type Workloads, workloads } from './workloads.ts'

export type Job = { workload: keyof Workloads; target: Target; options: unknown }

process.once('disconnect', () => process.exit())
process.once('message', async ({ workload, target, options }: Job) => {
  const work = workloads[workload] as (target: Target, options: unknown) => Promise<unknown>
  process.send?.(await work(target, options))
})
