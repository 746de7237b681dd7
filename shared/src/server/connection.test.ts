import type { WebSocket } from 'uWebSockets.js'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Connection } from './connection.ts'

/** A socket that takes everything, and what it was given in order. */
const open = () => {
  const sent: string[] = []
  const socket = {
    send: (frame: string | Uint8Array) => sent.push(Buffer.from(frame as string).toString()) && 1,
    cork: (write: () => void) => {
      sent.push('together')
      write()
    },
    getBufferedAmount: () => 0,
  }
  return { sent, connection: new Connection(socket as unknown as WebSocket<unknown>, () => undefined) }
}

test('what is sent in a turn leaves together at its end, in order', async () => {
  const { sent, connection } = open()
  connection.send('a')
  connection.sendBytes(() => Buffer.from('b'), 1)
  expect(sent).toEqual([])
  await endOfTurn()
  expect(sent).toEqual(['together', 'a', 'b'])
})

test('what is not there any more when it would leave does not, and all else does', async () => {
  const { sent, connection } = open()
  connection.sendBytes(() => undefined, 1)
  await endOfTurn()
  expect(sent).toEqual([])
  for (const text of ['a', undefined, 'b']) connection.sendBytes(() => (text ? Buffer.from(text) : undefined), 1)
  await endOfTurn()
  expect(sent).toEqual(['together', 'a', 'b'])
  expect(connection.hasRoom()).toBe(true)
})
