import { expect, test } from 'vitest'
import { splitArguments, testsFor } from './changed.ts'

test('no changes select no tests', () => {
  expect(testsFor([])).toEqual([])
})

test.each([
  ['extension/src/ui/css/base.css', ['extension/src/ui/', 'test/e2e/', 'test/house/', 'test/screens/']],
  ['extension/public/_locales/en/messages.json', ['extension/src/ui/', 'test/e2e/', 'test/house/', 'test/screens/']],
  ['docs/runbook.md', ['test/house/', 'test/packages/', 'test/site/']],
  ['README.md', ['test/house/', 'test/packages/', 'test/site/']],
  ['.github/workflows/checks.yml', ['test/house/', 'test/packages/', 'test/site/']],
  ['deploy/site/build.ts', ['deploy/', 'test/house/', 'test/packages/', 'test/site/']],
  ['test/screens/fixtures/state.ts', ['test/screens/']],
])('%s selects the tests of its folder', (path, tests) => {
  expect(testsFor([path])).toEqual(tests)
})

test.each(['wallet/keys/kdf.ts', 'browser/page-ports.ts', 'provider/provider.ts'])(
  'the wallet core (%s) selects its unit tests, the headless tests and the browser tests, but no screens',
  path => {
    const tests = testsFor([`extension/src/${path}`])
    expect(tests).toEqual(expect.arrayContaining(['extension/src/', 'test/session/', 'test/vectors/', 'test/e2e/']))
    expect(tests).not.toContain('test/screens/')
  },
)

test('scripts and messages that all parts of the extension share also select the screens', () => {
  expect(testsFor(['extension/src/messages/state.ts'])).toEqual(
    expect.arrayContaining(['extension/src/', 'test/e2e/', 'test/screens/']),
  )
})

test.each(['relay-server/src/main.ts', 'bridge-server/src/config.ts', 'shared/src/server/storage/log.ts'])(
  'a server (%s) selects the tests of both servers on each store',
  path => {
    const tests = ['relay-server/', 'bridge-server/', 'shared/src/server/', 'test/conformance/', 'test/compat/']
    expect(testsFor([path])).toEqual(expect.arrayContaining([...tests, 'test/faults/', 'test/redis/']))
    expect(testsFor([path])).not.toContain('test/e2e/')
  },
)

test.each([
  'shared/src/evm/hex.ts',
  'shared/src/wire/rpc.ts',
  'package-lock.json',
  'test/support/server.ts',
  'new/a.ts',
])('a file that many others use, or that no row covers (%s), selects everything', path => {
  expect(testsFor(['docs/runbook.md', path])).toBe('everything')
})

test('a test file selects itself, wherever it is', () => {
  const paths = ['shared/src/evm/hex.test.ts', 'test/e2e/kill.test.ts']
  expect(testsFor(paths)).toEqual(paths)
})

test('tests that several files select are listed once', () => {
  expect(testsFor(['docs/a.md', 'test/site/blocks.ts'])).toEqual(['test/house/', 'test/packages/', 'test/site/'])
})

test.each([
  [['a.test.ts', '-t', 'x'], undefined, ['a.test.ts', '-t', 'x']],
  [['--changed'], 'HEAD', []],
  [['--changed', 'main', '-u'], 'main', ['-u']],
  [['-u', '--changed', '--bail', '1'], 'HEAD', ['-u', '--bail', '1']],
  [['--changed=v0.1.0', 'a.test.ts'], 'v0.1.0', ['a.test.ts']],
])('the arguments %j have the base %s', (args, base, rest) => {
  expect(splitArguments(args)).toEqual({ base, rest })
})
