import { createMetrics } from '@heliograph/shared/server/metrics/metrics'
import { describe, expect, test } from 'vitest'
import type { Peer } from '../delivery/delivery.ts'
import { createRelayMetrics } from '../metrics.ts'
import type { Parts } from './method.ts'
import { createRpc } from './rpc.ts'

/** The methods, for a client with one unacknowledged push, whose id is 7. */
const open = () => {
  const unacknowledged = new Set([7])
  const sent: string[] = []
  const rpc = createRpc({
    deliveries: { acknowledge: (_: Peer, pushId: number) => unacknowledged.delete(pushId) },
    metrics: createRelayMetrics(createMetrics()),
    refused: () => undefined,
    limits: { frameBytes: 10_000, frameDepth: 10, batchItems: 10, messageBytes: 100, maxTtl: 300 },
  } as unknown as Parts)
  const peer = { connection: { send: (text: string) => sent.push(text) }, publishesTo: '' } as unknown as Peer
  return { rpc, peer, unacknowledged, sent }
}

const response = (id: number, result: string): string => `{"id":${id},"jsonrpc":"2.0","result":${result}}`

describe.each(['receive', 'refuse'] as const)('%s', handler => {
  test.each([
    ['as clients write it', response],
    ['in another notation', (id: number, result: string) => ` ${response(id, result)}`],
    ['in a batch', (id: number, result: string) => `[${response(id, result)}]`],
  ])('an acknowledgement %s is free, and one without a push costs a token', async (_, frameOf) => {
    const { rpc, peer, unacknowledged, sent } = open()
    const costOf = (id: number, result = 'true') => rpc[handler](peer, Buffer.from(frameOf(id, result)))
    expect([costOf(7, 'false'), unacknowledged.size]).toEqual([0, 1])
    expect([costOf(7), unacknowledged.size]).toEqual([0, 0])
    expect([costOf(7), costOf(8)]).toEqual([1, 1])
    await rpc.settled()
    expect(sent).toEqual([])
  })
})
