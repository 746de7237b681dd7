import { createMetrics } from '@heliograph/shared/server/metrics/metrics'
import { createPending } from '@heliograph/shared/server/process/pending'
import { Connection } from '@heliograph/shared/server/transport/connection'
import { expect, test } from 'vitest'
import type { Peer } from '../delivery/delivery.ts'
import type { Taken } from '../mailbox/mailbox.ts'
import { createRelayMetrics } from '../metrics.ts'
import { createConfirmations } from './confirmations.ts'
import type { Parts } from './method.ts'
import type { Scanned } from './scan.ts'

/** Publishers whose messages are stored together by `store`, and a record of all events in order. */
const open = () => {
  const events: string[] = []
  const faults: unknown[] = []
  let store = (): void => undefined
  let reject = (_: Error): void => undefined
  const promise = new Promise<void>((resolve, refuse) => {
    store = resolve
    reject = refuse
  })
  const announce = (taken: Taken): void => {
    const { message } = taken as unknown as Scanned
    events.push(`announced ${message}`)
    if (message === 'bad') throw new Error('a listener failed')
  }
  const parts = {
    mailbox: { append: (_: unknown, postings: Scanned[]) => ({ taken: postings, safe: promise }), announce },
    webhooks: { notify: () => undefined },
    metrics: createRelayMetrics(createMetrics()),
    limits: { messageBytes: 100 },
  } as unknown as Parts
  const onFault = (fault: unknown) => void faults.push(fault)
  const pending = createPending(onFault)
  const refusal = (id: string, thrown: unknown) => `${id}: ${thrown instanceof Error ? thrown.message : thrown}`
  const publish = createConfirmations({ parts, refusal, pending, onFault })

  const connect = (name: string) => {
    const socket = {
      send: (frame: string | Uint8Array) => events.push(`${name} ${Buffer.from(frame)}`),
      cork: (send: () => void) => {
        events.push(`${name} sends`)
        send()
      },
      getBufferedAmount: () => 0,
    }
    const connection = new Connection(socket as never, {
      onRoom: () => undefined,
      onUnsent: () => undefined,
      onCost: () => undefined,
      onFault: () => undefined,
    })
    const peer = { client: `did:key:${name}`, connection, publishesTo: '' } as unknown as Peer
    return (id: number, message: string): void =>
      publish(peer, { id: `${id}`, topic: 't', message, size: message.length, bytes: message.length } as Scanned)
  }
  return { connect, events, faults, store, reject, settled: pending.settled }
}

const answered = (name: string, id: number): string => `${name} {"id":${id},"jsonrpc":"2.0","result":true}`

test('every publisher gets its response before its message is announced, and messages are announced in order', async () => {
  const { connect, events, store, settled } = open()
  const numbers = Array.from({ length: 100 }, (_, number) => number)
  for (const number of numbers) connect(`p${number}`)(number, `m${number}`)
  expect(events).toEqual([])
  store()
  await settled()
  for (const number of numbers)
    expect(events.indexOf(`announced m${number}`)).toBeGreaterThan(events.indexOf(answered(`p${number}`, number)))
  expect(events.filter(event => event.startsWith('announced'))).toEqual(numbers.map(number => `announced m${number}`))
  expect(events).toHaveLength(200)
  // The first announcement does not wait for the last response.
  expect(events.indexOf('announced m0')).toBeLessThan(events.indexOf(answered('p99', 99)))
})

test('publishes sent together by one publisher are answered together, however many', async () => {
  const { connect, events, store, settled } = open()
  connect('other')(1, 'm')
  const publish = connect('one')
  for (let id = 100; id < 200; id++) publish(id, `${id}`)
  store()
  await settled()
  expect(events.filter(event => event === 'one sends')).toHaveLength(1)
  expect(events.indexOf(answered('one', 199))).toBeLessThan(events.indexOf('announced 100'))
})

test('a failed announcement is reported and does not prevent other responses', async () => {
  const { connect, events, faults, store, settled } = open()
  connect('first')(1, 'bad')
  for (let id = 2; id <= 40; id++) connect(`p${id}`)(id, `m${id}`)
  store()
  await settled()
  expect(faults).toEqual([new Error('a listener failed')])
  expect(events).toContain(answered('p40', 40))
  expect(events).toContain('announced m40')
})

test('messages that cannot be stored are refused and never announced', async () => {
  const { connect, events, reject, settled } = open()
  for (const id of [1, 2]) connect(`p${id}`)(id, `m${id}`)
  reject(new Error('the disk is full'))
  await settled()
  await new Promise(resolve => setImmediate(resolve))
  expect(events).toEqual(['p1 1: the disk is full', 'p2 2: the disk is full'])
})

test('refuses a message that is too long at once', async () => {
  const { connect, events } = open()
  connect('p')(1, 'x'.repeat(101))
  await new Promise(resolve => setImmediate(resolve))
  expect(events).toEqual(['p 1: params.message: is longer than 100 bytes (message-bytes)'])
})
