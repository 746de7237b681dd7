import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { listenError, refusal } from './listen-error.ts'

const reasonFor = async (host: string, port: number): Promise<string> =>
  refusal(await listenError(host, port), host, port, 'RELAY')

test('no error for a free address', async () => {
  expect(await listenError('127.0.0.1', 0)).toBeUndefined()
})

test.each(['127.0.0.1', '0.0.0.0'])('reports a port in use on %s', async host => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  expect(await reasonFor(host, port)).toBe(
    `cannot listen on ${host}:${port}: the port is in use; change RELAY_PORT (--port) or RELAY_HOST (--host)`,
  )
  // The unavailable address is reported before the port: changing the port would not help.
  expect(await reasonFor('192.0.2.1', port)).toBe(
    `cannot listen on 192.0.2.1:${port}: this machine does not have the address; change RELAY_HOST (--host)`,
  )
  other.close()
})

test.each([
  ['EADDRINUSE', 'the port is in use; change RELAY_PORT (--port) or RELAY_HOST (--host)'],
  ['EACCES', 'the port requires more privileges; change RELAY_PORT (--port)'],
  ['EADDRNOTAVAIL', 'this machine does not have the address; change RELAY_HOST (--host)'],
  ['ENOTFOUND', 'the host name has no address; change RELAY_HOST (--host)'],
  ['EMFILE', 'this process has too many files open'],
  ['ENEW', 'ENEW; change RELAY_PORT (--port) or RELAY_HOST (--host)'],
  [undefined, 'unknown reason; change RELAY_PORT (--port) or RELAY_HOST (--host)'],
])('%s is described as: %s', (code, words) => {
  expect(refusal(code, '::1', 80, 'RELAY')).toBe(`cannot listen on [::1]:80: ${words}`)
})
