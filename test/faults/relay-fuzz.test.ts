/**
 * A relay that receives nearly valid frames: each gets exactly one response with its id, and the relay keeps working.
 */

import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { fuzzCases } from '../support/fuzz-cases.ts'
import { randomFrom } from '../support/random.ts'
import { connectRelay, socketUrl, tokenOf } from '../support/relay-client.ts'
import { runSeed } from '../support/seed.ts'
import { type Server, startServer } from '../support/server.ts'
import { mutated } from './mutations.ts'
import { judge } from './reference.ts'

const CASES = fuzzCases('relayFrames')
/** Number of frames that are sent before waiting for their responses. */
const LOT = 500
const PATIENCE = 20_000
const INTERNAL = -32603

let folder: string
let relay: Server
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-fuzz-'))
  relay = await startServer('relay-server', { dataDir: folder })
})
afterAll(async () => {
  await relay.stop()
  await rm(folder, { recursive: true })
})

/**
 * Returns the ids that the response to a frame must have, as written, joined for a batch. Undefined if no response is
 * expected.
 */
const askedBy = (frame: Uint8Array): string | undefined => {
  const { isBatch, frames } = judge(frame)
  const ids = frames.filter(({ kind, id }) => kind !== 'response' && id !== undefined).map(({ id }) => id)
  return ids.length === 0 ? undefined : `${isBatch ? 'batch' : 'single'} ${ids.toSorted().join(' ')}`
}

/** Returns the ids of a response, as written. Undefined for a push. */
const answeredBy = (frame: Buffer): string | undefined => {
  const { isBatch, frames } = judge(frame)
  if (frames.some(({ kind }) => kind !== 'response')) return undefined
  return `${isBatch ? 'batch' : 'single'} ${frames
    .map(({ id }) => id)
    .toSorted()
    .join(' ')}`
}

const connect = async (query: Readonly<Record<string, string>>) => {
  const socket = new WebSocket(socketUrl(relay.url, query))
  const texts: string[] = []
  let answers: string[] = []
  let expected = 0
  let onEnough = (): void => undefined
  socket.on('message', (data: Buffer) => {
    texts.push(`${data}`)
    const answer = answeredBy(data)
    if (answer !== undefined && answers.push(answer) === expected) onEnough()
  })
  await once(socket, 'open')
  const closed = once(socket, 'close').then(([code]) => code)
  return {
    texts,
    /** Sends frames and returns their responses, or only the responses that arrive before the timeout. */
    exchange: async (frames: readonly Buffer[], count: number): Promise<string[]> => {
      const enough = new Promise<void>(resolve => {
        onEnough = resolve
      })
      expected = count
      for (const frame of frames) socket.send(frame, { binary: !isUtf8(frame) })
      if (answers.length < count) await Promise.race([enough, closed, once(AbortSignal.timeout(PATIENCE), 'abort')])
      const taken = answers
      answers = []
      return taken
    },
    close: async () => {
      socket.close()
      await closed
    },
  }
}

test(`${CASES} mutated frames get one response each, and the relay keeps working`, { timeout: 300_000 }, async () => {
  const clients = [await connect({}), await connect({ auth: tokenOf(1) })]
  for (let start = 0; start < CASES; start += LOT) {
    const frames = Array.from({ length: LOT }, (_, index) => mutated(randomFrom(runSeed + start + index)))
    const asked = frames.flatMap(frame => askedBy(frame) ?? [])
    const client = clients[(start / LOT) % clients.length]
    const answered = await client?.exchange(frames, asked.length)
    expect(answered?.toSorted(), `FUZZ_SEED=${runSeed}, frames from ${start} on`).toEqual(asked.toSorted())
  }
  const last = Buffer.from('{"id":"the last","jsonrpc":"2.0","method":"none","params":{}}')
  for (const client of clients) {
    expect(await client.exchange([last], 1)).toEqual(['single "the last"'])
    const codes = client.texts.map(text => JSON.parse(text)?.error?.code)
    expect(codes).toContain(-32700)
    expect(codes).not.toContain(INTERNAL)
    await client.close()
  }

  expect((await fetch(`${relay.url}/health`)).status).toBe(200)
  const [reader, writer] = [await connectRelay(relay.url, 2), await connectRelay(relay.url, 3)]
  const topic = 'fe'.repeat(32)
  await reader.call('relay_subscribe', { topic })
  await writer.call('relay_publish', { topic, message: 'still here', ttl: 60 })
  expect((await reader.push()).params.data.message).toBe('still here')
  await Promise.all([reader.close(), writer.close()])
})
