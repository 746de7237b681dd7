import { expect, test } from 'vitest'
import { ConfigError, defaultsOf, envText, integer, listOf, oneOf, type Row, readConfig, text } from './config.ts'

const rows = {
  port: { description: 'Where to listen', default: 8080, parse: integer(0, 65_535) } satisfies Row<number>,
  dataDir: { description: 'Where to keep things', default: '.data', parse: text } satisfies Row<string>,
  level: { description: 'How much', default: 'info', parse: oneOf('info', 'debug') } satisfies Row<string>,
  urls: { description: 'Names', default: [], parse: listOf(text) } satisfies Row<readonly string[]>,
}

const read = (args: string[], env: Record<string, string> = {}) => readConfig('RELAY', rows, { args, env })

test('unset rows have their defaults', () => {
  expect(read([])).toEqual({ port: 8080, dataDir: '.data', level: 'info', urls: [] })
  expect(defaultsOf(rows)).toEqual(read([]))
})

test('a flag overrides the environment variable of the same row', () => {
  const env = { RELAY_PORT: '1', RELAY_DATA_DIR: '/from/env', RELAY_URLS: 'wss://a, wss://b,', BRIDGE_PORT: '9' }
  expect(read(['--port', '2', '--level=debug'], env)).toEqual({
    port: 2,
    dataDir: '/from/env',
    level: 'debug',
    urls: ['wss://a', 'wss://b'],
  })
})

test('an empty variable counts as unset', () => {
  expect(read([], { RELAY_PORT: '' }).port).toBe(8080)
})

test.each([
  [['--port', '65536'], {}, '--port: "65536" must be a whole number from 0 to 65535'],
  [['--port', '-1'], {}, "Option '--port' argument is ambiguous; --help lists all flags"],
  [['--port=1e3'], {}, '--port: "1e3" must be a whole number from 0 to 65535'],
  [[], { RELAY_PORT: 'tcp://10.0.0.1:80' }, 'RELAY_PORT: "tcp://10.0.0.1:80" must be a whole number from 0 to 65535'],
  [['--data-dir='], {}, '--data-dir: "" must not be empty'],
  [['--level', 'loud'], {}, '--level: "loud" must be one of info, debug'],
  [['--colour', 'red'], {}, "Unknown option '--colour'; --help lists all flags"],
  [['--port'], {}, "Option '--port <value>' argument missing; --help lists all flags"],
  [['8080'], {}, "Unexpected argument '8080'"],
])('%j %j is refused with a one-line reason', (args, env, message) => {
  const refused = () => read(args, env as Record<string, string>)
  expect(refused).toThrow(ConfigError)
  expect(refused).toThrow(message)
  expect(refused).not.toThrow('\n')
})

test('the value of a secret is never quoted', () => {
  const token = { ...rows.port, isSecret: true }
  expect(() => readConfig('RELAY', { token }, { args: ['--token', 'hunter2'], env: {} })).toThrow(
    /^--token: the value must be a whole number from 0 to 65535$/,
  )
})

test('the environment file lists description and default of each row', () => {
  const lines = envText('RELAY', rows).split('\n')
  expect(lines.slice(0, 5)).toEqual([
    '# Where to listen',
    '#RELAY_PORT=8080',
    '',
    '# Where to keep things',
    '#RELAY_DATA_DIR=.data',
  ])
  expect(lines.slice(-3)).toEqual(['# Names', '#RELAY_URLS=', ''])
})
