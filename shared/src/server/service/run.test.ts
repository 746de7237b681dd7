import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { scriptOf } from '../../../../test/support/server-scripts.ts'

/** Starts a test server that behaves in the chosen way when it starts or stops. */
const start = async (way: string, ...flags: readonly string[]) =>
  spawn(process.execPath, [await scriptOf('ending-server'), '--way', way, ...flags])

/** A shutdown timeout in seconds that outlasts the test. The default of the fixture is one second. */
const LONG = ['--stop-seconds', '3600']

/** Sends SIGTERM once the server has started. Returns how it exits, and after how many seconds. */
const end = async (way: string, ...flags: readonly string[]) => {
  const child = await start(way, ...flags)
  await once(child.stdout, 'data')
  const from = performance.now()
  child.kill('SIGTERM')
  const [code, signal] = await once(child, 'close')
  return { code, signal, seconds: (performance.now() - from) / 1000 }
}

test.each(['soon', 'hanging start'])(
  'after SIGTERM a server exits with 0 long before the shutdown timeout: %s',
  async way => {
    expect(await end(way, ...LONG)).toMatchObject({ code: 0, signal: null })
  },
)

// The servers of the following tests would not exit without the shutdown timeout.

test('a server whose shutdown hangs exits after the timeout with code 0', async () => {
  const { code, seconds } = await end('hanging stop')
  expect(code).toBe(0)
  expect(seconds).toBeGreaterThan(0.9)
})

test('a server whose shutdown blocks the event loop is killed after the timeout', async () => {
  const { signal, seconds } = await end('blocked stop')
  expect(signal).toBe('SIGKILL')
  expect(seconds).toBeGreaterThan(1.9)
})

/** Sends SIGHUP to a server that is starting, or that is stopping after SIGTERM. Returns how it exits. */
const hangUp = async (way: 'hanging start' | 'hanging stop', ...flags: readonly string[]) => {
  const child = await start(way, ...flags)
  await once(child.stdout, 'data')
  if (way === 'hanging stop') {
    child.kill('SIGTERM')
    await once(child.stdout, 'data')
  }
  child.kill('SIGHUP')
  if (way === 'hanging start') child.kill('SIGTERM')
  const [code, signal] = await once(child, 'close')
  return { code, signal }
}

test.each(['hanging start', 'hanging stop'] as const)(
  'SIGHUP during a %s does not terminate a server with TLS, but terminates a server without TLS',
  async way => {
    expect(await hangUp(way, '--tls-cert', 'cert.pem')).toEqual({ code: 0, signal: null })
    expect(await hangUp(way, ...LONG)).toEqual({ code: null, signal: 'SIGHUP' })
  },
)
