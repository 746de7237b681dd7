import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

/** Closes the run with one plain line, `N passed, N failed`, whatever else was printed before it. */
export default class PlainReporter implements Reporter {
  private readonly cases = new Map<string, string>()

  onTestCaseResult(test: TestCase) {
    this.cases.set(test.id, test.result().state)
  }

  /** A file that does not load and an error outside any test count as failures; a skipped test is one, too. */
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    const states = [...this.cases.values()]
    const passed = states.filter(state => state === 'passed').length
    const broken = modules.filter(module => module.errors().length > 0).length
    const failed = states.length - passed + broken + errors.length
    if (failed > 0) process.exitCode = 1
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  }
}
