/** Measures the time of the tasks, and the size of the bundled programs. */
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { minified } from '../../packages/bundle.ts'
import { installed } from '../../packages/consumer.ts'
import { libraryArchives } from '../../packages/made.ts'
import { root } from '../../support/root.ts'
import { median } from '../report.ts'
import { PROGRAMS, programs } from './programs.ts'
import { LIBRARIES, type LibraryName, type Task, type Tasks } from './tasks.ts'

/** A line of a table: the measured task or program, and the figure of each library that has one. */
export type Line = { title: string; figures: Partial<Record<LibraryName, number>> }

/** Number of executions between two reads of the clock. */
const BATCH = 8

/** Returns the processor time of one execution in microseconds, averaged over at least `seconds`. */
const timeOf = async ({ run }: Task, seconds: number): Promise<number> => {
  const begin = process.cpuUsage()
  const end = performance.now() + 1000 * seconds
  let count = 0
  while (performance.now() < end) {
    for (let at = 0; at < BATCH; at++) {
      const result = run()
      if (result instanceof Promise) await result
    }
    count += BATCH
  }
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / count
}

/**
 * Returns each task's processor time in microseconds: the median of the rounds. Libraries take turns, after a warm-up
 * round.
 */
export const measureTimes = async (tasks: Tasks, rounds: number, seconds: number): Promise<Line[]> => {
  const lines: Line[] = []
  for (const [title, byLibrary] of Object.entries(tasks)) {
    const times = new Map<LibraryName, number[]>()
    for (let round = 0; round <= rounds; round++)
      for (const name of LIBRARIES) {
        const task = byLibrary[name]
        if (task === undefined) continue
        const time = await timeOf(task, seconds)
        if (round > 0) times.set(name, [...(times.get(name) ?? []), time])
      }
    lines.push({ title, figures: Object.fromEntries(Array.from(times, ([name, all]) => [name, median(all)])) })
  }
  return lines
}

/** Creates a project with all libraries: ours from its archive, the others as links to the repository's copies. */
export const project = async (): Promise<string> => {
  const folder = await installed(await libraryArchives())
  for (const name of ['viem', 'ethers', 'micro-eth-signer'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  return folder
}

/** Returns the size of each program in that project in bytes, bundled, minified and compressed with gzip. */
export const measureSizes = async (folder: string): Promise<Line[]> => {
  const lines: Line[] = []
  for (const title of PROGRAMS) {
    const figures: Line['figures'] = {}
    for (const name of LIBRARIES) {
      const bundle = await minified(folder, programs[name][title])
      figures[name] = gzipSync(bundle, { level: 9 }).length
    }
    lines.push({ title, figures })
  }
  return lines
}
