/** Closes the run with the time of each part, the version of Node and one plain line, `N passed, N failed`. */
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node'
import { type FileTime, partTimes } from './part-times.ts'
import { runSeed } from './seed.ts'

export default class PlainReporter implements Reporter {
  private passed = 0
  private failed = 0
  private hasFilter = false
  private readonly starts = new Map<TestModule['id'], number>()
  private readonly times: FileTime[] = []

  /** The lines are printed when the process ends: by then the other reporters have said all they have to say. */
  onInit({ config }: Vitest) {
    this.hasFilter = config.testNamePattern !== undefined
    process.once('exit', code => {
      // A run without a test, or one that broke before its end, is a failure as well.
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
   * Only a test that ran and passed has passed, and one that was skipped has failed, unless `-t` chose others. A file that does
   * not load and an error outside any test are failures.
   */
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    const all = modules.flatMap(module => [...module.children.allTests()])
    const tests = this.hasFilter ? all.filter(test => test.result().state !== 'skipped') : all
    const broken = modules.filter(module => module.errors().length > 0)
    this.passed = tests.filter(test => test.result().state === 'passed').length
    this.failed = tests.length - this.passed + broken.length + errors.length
  }
}
