/** Runs Prometheus and promtool. Both come from the system or from `setup.js`. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { findPrometheus } from '../../programs.js'
import { spawnProgram } from './child.ts'
import { freePort } from './free-port.ts'
import { root } from './root.ts'

const programOf = (name: 'prometheus' | 'promtool'): string => {
  const path = findPrometheus(name)
  if (path === undefined)
    throw new Error(`${name} was not found: install the package prometheus, or run node setup.js test:all`)
  return path
}

/** Runs promtool in the repository. Rejects with its output if it fails. */
export const promtool = async (...args: string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(programOf('promtool'), args, { cwd: root })
  return stdout + stderr
}

const Answer = v.object({ status: v.literal('success'), data: v.object({ result: v.array(v.unknown()) }) })

export type Prometheus = {
  /** Returns the number of results of an expression. Rejects if it is invalid. */
  count: (expression: string) => Promise<number>
  stop: () => Promise<void>
}

/** Starts a Prometheus that scrapes these servers every second. Keys are jobs, values are `host:port`. */
export const startPrometheus = async (
  folder: string,
  targets: Readonly<Record<string, string>>,
): Promise<Prometheus> => {
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: Object.entries(targets).map(([job, target]) => ({
      job_name: job,
      static_configs: [{ targets: [target] }],
    })),
  }
  // A JSON file is also a valid YAML file.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const child = spawnProgram(programOf('prometheus'), [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ])
  child.stdout.resume()
  child.stderr.resume()
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  return {
    count: async expression => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query: expression })}`)
      return v.parse(Answer, await answer.json()).data.result.length
    },
    stop: async () => {
      child.kill()
      await ended
    },
  }
}
