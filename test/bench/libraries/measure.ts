/** Times of the tasks, and sizes of the bundled programs. */
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { libraryPackages } from '../../../deploy/package/libraries.ts'
import { minified } from '../../packages/bundle.ts'
import { installed } from '../../packages/consumer.ts'
import { root } from '../../support/root.ts'
import { median } from '../report.ts'
import { PROGRAMS, programs } from './programs.ts'
import { LIBRARIES, type LibraryName, type Task, type Tasks } from './tasks.ts'

/** A line of a table: what was measured, and a figure for each library that has one. */
export type Line = { title: string; figures: Partial<Record<LibraryName, number>> }

/** Executions between two looks at the clock. */
const BATCH = 8

/** Processor time of one execution in microseconds, on average over at least `seconds`. */
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

/** Processor time of each task in microseconds: the median of the rounds, in which the libraries take turns. A round before them warms up. */
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

/** A project with all libraries: ours from its archive, the others as links to the repository's copies. */
export const project = async (): Promise<string> => {
  const folder = await installed((await libraryPackages()).map(({ archive }) => archive))
  for (const name of ['viem', 'ethers', 'micro-eth-signer'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  return folder
}

/** Bytes of each program in that project, bundled, minified and compressed with gzip. */
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
