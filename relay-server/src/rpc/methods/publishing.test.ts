import { setImmediate as endOfTurn } from 'node:timers/promises'
import { createMetrics, readCounter } from '@heliograph/shared/server/metrics/metrics'
import { Connection } from '@heliograph/shared/server/transport/connection'
import { describe, expect, test, vi } from 'vitest'
import type { Peer } from '../../delivery/delivery.ts'
import type { Accepted, Publication } from '../../mailbox/mailbox.ts'
import { createRelayMetrics } from '../../metrics.ts'
import { relayError } from '../../reasons.ts'
import type { Parts } from '../method.ts'
import { createRpc } from '../rpc.ts'

const TOPIC = 'ab'.repeat(32)

/**
 * Publishers whose messages are stored together by `store`, and a record of all events in order. `published` reports
 * messages to watches, `notify` queues webhook calls.
 */
const open = (
  published: Parts['reports']['published'] = () => undefined,
  notify: Parts['webhooks']['notify'] = () => undefined,
) => {
  const events: string[] = []
  const faults: unknown[] = []
  let store = (): void => undefined
  let reject = (_: Error): void => undefined
  const commit = {
    durable: new Promise<void>((resolve, refuse) => {
      store = resolve
      reject = refuse
    }),
  }
  const append = (_: unknown, publications: Publication[]) => ({ accepted: publications, commit })
  const announce = (accepted: Accepted): Accepted => accepted
  const offer = (_: string, accepted: Accepted): void => {
    const { json } = accepted as unknown as Publication
    events.push(`announced ${JSON.parse(json)}`)
    if (json === '"bad"') throw new Error('offering failed')
  }
  const metrics = createRelayMetrics(createMetrics())
  const rpc = createRpc({
    mailbox: { append, announce },
    hub: { offer },
    webhooks: { notify },
    reports: { published },
    metrics,
    refused: () => undefined,
    log: { error: ({ err }: { err: unknown }) => faults.push(err) },
    limits: { frameBytes: 10_000, frameDepth: 10, batchItems: 10, messageBytes: 100, maxTtl: 300 },
  } as unknown as Parts)

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
    const peer = { client: `did:key:${name}`, connection, payers: [], publishesTo: '' } as unknown as Peer
    return (frame: string) => rpc.receive(peer, Buffer.from(frame))
  }
  return { connect, events, faults, metrics, store, reject, settled: rpc.settled }
}

const deferred = () => {
  let resolve = (): void => undefined
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}

/** A publish as clients write it, which the scanner recognizes, and a publish that only the decoder understands. */
const usual = (id: number, message: string): string =>
  `{"id":${id},"jsonrpc":"2.0","method":"relay_publish","params":{"topic":"${TOPIC}","message":"${message}","ttl":300}}`
const unusual = (id: number, message: string): string => ` ${usual(id, message)}`

const answered = (name: string, id: number): string => `${name} {"id":${id},"jsonrpc":"2.0","result":true}`

describe.each([
  ['the scanner', usual],
  ['the decoder', unusual],
])('a publish read by %s', (_, frameOf) => {
  test('every publisher gets its answer before its message is announced, and messages are announced in order', async () => {
    const { connect, events, metrics, store, settled } = open()
    const numbers = Array.from({ length: 100 }, (_, number) => number)
    for (const number of numbers) connect(`p${number}`)(frameOf(number, `m${number}`))
    expect(events).toEqual([])
    store()
    await settled()
    for (const number of numbers)
      expect(events.indexOf(`announced m${number}`)).toBeGreaterThan(events.indexOf(answered(`p${number}`, number)))
    expect(events.filter(event => event.startsWith('announced'))).toEqual(numbers.map(number => `announced m${number}`))
    expect(events).toHaveLength(200)
    // The first message is announced before the last publish is answered.
    expect(events.indexOf('announced m0')).toBeLessThan(events.indexOf(answered('p99', 99)))
    expect(await readCounter(metrics.publishes)).toBe(100)
    expect(metrics.answerSeconds.counts.reduce((sum, count) => sum + count, 0)).toBe(100)
  })

  test('publishes sent together by one publisher are answered together, however many', async () => {
    const { connect, events, store, settled } = open()
    connect('other')(frameOf(1, 'm'))
    const publish = connect('one')
    for (let id = 100; id < 200; id++) publish(frameOf(id, `${id}`))
    store()
    await settled()
    expect(events.filter(event => event === 'one sends')).toHaveLength(1)
    expect(events.indexOf(answered('one', 199))).toBeLessThan(events.indexOf('announced 100'))
  })

  test('a failed announcement is reported and does not prevent other answers', async () => {
    const { connect, events, faults, store, settled } = open()
    connect('first')(frameOf(1, 'bad'))
    for (let id = 2; id <= 40; id++) connect(`p${id}`)(frameOf(id, `m${id}`))
    store()
    await settled()
    expect(faults).toEqual([new Error('offering failed')])
    expect(events).toContain(answered('p40', 40))
    expect(events).toContain('announced m40')
  })

  test('messages that cannot be stored are refused and never announced', async () => {
    const { connect, events, reject, settled } = open()
    for (const id of [1, 2]) connect(`p${id}`)(frameOf(id, `m${id}`))
    reject(relayError('resourceUnavailable', 'storeFailing', { cause: 'the disk is full' }))
    await settled()
    const error =
      '{"code":-32002,"message":"the store refuses writes: the disk is full","data":{"reason":"storeFailing","values":{"cause":"the disk is full"}}}'
    expect(events).toEqual([1, 2].map(id => `p${id} {"id":${id},"jsonrpc":"2.0","error":${error}}`))
  })

  test('the answer waits for the report to watches', async () => {
    let report = (): void => undefined
    const reported = new Promise<void>(resolve => {
      report = resolve
    })
    const { connect, events, store, settled } = open(publisher =>
      publisher === 'did:key:zSeen' ? reported : undefined,
    )
    connect('zSeen')(frameOf(1, 'seen'))
    connect('zOther')(frameOf(2, 'other'))
    store()
    await vi.waitFor(() => expect(events).toContain('announced other'))
    expect(events).toEqual([answered('zOther', 2), 'announced other'])
    report()
    await settled()
    expect(events.slice(2)).toEqual([answered('zSeen', 1), 'announced seen'])
  })

  test.each(['message', 'report', 'call'])('the answer waits if the %s is stored last', async last => {
    const [report, call] = [deferred(), deferred()]
    const { connect, events, store, settled } = open(
      () => report.promise,
      () => call.promise,
    )
    connect('p')(frameOf(1, 'm'))
    const parts = { message: store, report: report.resolve, call: call.resolve }
    for (const [part, finish] of Object.entries(parts)) if (part !== last) finish()
    await endOfTurn()
    expect(events).toEqual([])
    parts[last as keyof typeof parts]()
    await settled()
    expect(events).toEqual([answered('p', 1), 'announced m'])
  })

  test('a message that is too long is refused at once', async () => {
    const { connect, events, settled } = open()
    connect('p')(frameOf(1, 'x'.repeat(101)))
    await settled()
    expect(events).toEqual([expect.stringContaining('params.message: is longer than 100 bytes (message-bytes)')])
  })
})
