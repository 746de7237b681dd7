import type { WebSocket } from 'uWebSockets.js'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { Connection } from './connection.ts'

/** A socket that accepts everything and records what was sent. */
const open = () => {
  const sent: string[] = []
  const onFault = vi.fn()
  const socket = {
    send: (frame: string | Uint8Array) => sent.push(Buffer.from(frame as string).toString()) && 1,
    cork: (write: () => void) => {
      sent.push('together')
      write()
    },
    getBufferedAmount: () => 0,
  }
  const connection = new Connection(socket as unknown as WebSocket<unknown>, {
    onRoom: () => undefined,
    onUnsent: () => undefined,
    onCost: () => undefined,
    onFault,
  })
  return { sent, onFault, connection }
}

test('frames sent in one turn are written together at its end, in order', async () => {
  const { sent, connection } = open()
  connection.send('a')
  connection.sendBytes(() => Buffer.from('b'), 1)
  expect(sent).toEqual([])
  await endOfTurn()
  expect(sent).toEqual(['together', 'a', 'b'])
})

test('skips a frame whose text is gone when it is written', async () => {
  const { sent, connection } = open()
  connection.sendBytes(() => undefined, 1)
  await endOfTurn()
  expect(sent).toEqual([])
  for (const text of ['a', undefined, 'b']) connection.sendBytes(() => (text ? Buffer.from(text) : undefined), 1)
  await endOfTurn()
  expect(sent).toEqual(['together', 'a', 'b'])
  expect(connection.hasRoom()).toBe(true)
})

test('a failed write is reported for its own connection only', async () => {
  const [before, broken, after] = [open(), open(), open()]
  const fault = new Error('unreadable')
  before.connection.send('a')
  broken.connection.send('lost')
  broken.connection.sendBytes(() => {
    throw fault
  }, 1)
  after.connection.send('b')
  await endOfTurn()
  expect([before.sent, after.sent]).toEqual([['a'], ['b']])
  expect(broken.onFault).toHaveBeenCalledExactlyOnceWith(fault)
  for (const { onFault } of [before, after]) expect(onFault).not.toHaveBeenCalled()
  after.connection.send('c')
  await endOfTurn()
  expect(after.sent).toEqual(['b', 'c'])
})
