/**
 * Prints, at the end of a run, the time of each part, the version of Node, the seed and a plain line, `N passed, N
 * failed`.
 */
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node'
import { type FileTime, partTimes } from './part-times.ts'
import { runSeed } from './seed.ts'

export default class PlainReporter implements Reporter {
  private passed = 0
  private failed = 0
  private hasFilter = false
  private readonly starts = new Map<TestModule['id'], number>()
  private readonly times: FileTime[] = []

  /** Prints these lines when the process exits, after the output of all other reporters. */
  onInit({ config }: Vitest) {
    this.hasFilter = config.testNamePattern !== undefined
    process.once('exit', code => {
      // A run without tests is a failure as well, and so is a run that stopped early.
      const failed = this.failed || Number(this.passed === 0 || code !== 0)
      if (failed > 0) process.exitCode = 1
      if (this.times.length > 0) process.stdout.write(`\n${partTimes(this.times)}\n`)
      process.stdout.write(
        `\nNode ${process.versions.node}, seed ${runSeed}\n${this.passed} passed, ${failed} failed\n`,
      )
    })
  }

  onTestModuleQueued({ id }: TestModule) {
    this.starts.set(id, performance.now())
  }

  onTestModuleEnd({ id, project, children }: TestModule) {
    const end = performance.now()
    const tests = [...children.allTests()].length
    this.times.push({ part: project.name, tests, start: this.starts.get(id) ?? end, end })
  }

  /**
   * Counts results. A skipped test counts as failed, unless `-t` selected other tests. A file that does not load and an
   * error outside of any test also count as failures.
   */
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    const all = modules.flatMap(module => [...module.children.allTests()])
    const tests = this.hasFilter ? all.filter(test => test.result().state !== 'skipped') : all
    const broken = modules.filter(module => module.errors().length > 0)
    this.passed = tests.filter(test => test.result().state === 'passed').length
    this.failed = tests.length - this.passed + broken.length + errors.length
  }
}
