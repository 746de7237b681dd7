/** Pairs of honest clients that exchange messages at a steady pace. Each client has its own address. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { signJwt } from '@heliograph/shared/wire/relay-auth'
import { WebSocket } from 'ws'
import { socketUrl } from '../support/relay-client.ts'

export type Report = {
  sent: number
  /** Share of the messages that were acknowledged and delivered in time. */
  success: number
  /** Milliseconds from sending a message to its delivery. */
  p50: number
  p99: number
}

/**
 * Milliseconds: duration of the exchange, time between two messages of a pair, and time until a message counts as lost.
 */
export type Pace = { length: number; every: number; patience: number }

export type Pairs = {
  /** The topics of the pairs. */
  topics: readonly string[]
  /** Exchanges `length / every` messages in each pair. Takes longer than `length` if this process stalls. */
  run: (pace: Pace) => Promise<Report>
  /** Returns the messages of the current run that were not delivered before `moment`, in ms of performance.now(). */
  undelivered: (moment: number) => number
  close: () => void
}

const DAY = 24 * 60 * 60

const hex = (text: string): string => createHash('sha256').update(text).digest('hex')

const tokenOf = (name: string): string => {
  const iat = Math.floor(Date.now() / 1000)
  const seed = createHash('sha256').update(name).digest()
  return signJwt({ sub: 'ab'.repeat(32), aud: 'ws://127.0.0.1', iat, exp: iat + DAY }, seed)
}

/** Returns an address of 127/8 for a client. */
const addressOf = (index: number): string => `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`

type Pair = { topic: string; send: (id: number, message: string) => void }

/** A message in transit: its send time, whether it was acknowledged, and the milliseconds until its delivery. */
type Passing = { sentAt: number; isAnswered: boolean; took: number | undefined }

const FIRST_ID = 1

const connectAt = async (
  url: string,
  index: number,
  onFrame: (frame: { id: unknown } & Record<string, never>) => void,
) => {
  const socket = new WebSocket(socketUrl(url, { auth: tokenOf(`honest ${index}`) }), {
    localAddress: addressOf(index),
    perMessageDeflate: false,
  })
  socket.on('message', data => onFrame(JSON.parse(`${data}`)))
  socket.on('error', () => undefined)
  await once(socket, 'open')
  return socket
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN

export const connectPairs = async (url: string, count: number): Promise<Pairs> => {
  const passing = new Map<string, Passing>()
  const sockets: WebSocket[] = []

  const openPair = async (index: number): Promise<Pair> => {
    const topic = hex(`honest ${index} ${Math.random()}`)
    const answered = new Map<unknown, string>()
    const sender = await connectAt(url, 2 * index, frame => {
      const one = passing.get(answered.get(frame.id) ?? '')
      if (one && (frame as { result?: unknown }).result === true) one.isAnswered = true
    })
    const receiver = await connectAt(url, 2 * index + 1, frame => {
      const { method, params } = frame as unknown as { method?: string; params?: { data: { message: string } } }
      if (method === undefined) return
      receiver.send(JSON.stringify({ id: frame.id, jsonrpc: '2.0', result: true }))
      const one = passing.get(params?.data.message ?? '')
      if (one) one.took ??= performance.now() - one.sentAt
    })
    sockets.push(sender, receiver)
    const subscribed = once(receiver, 'message')
    receiver.send(JSON.stringify({ id: FIRST_ID, jsonrpc: '2.0', method: 'irn_subscribe', params: { topic } }))
    await subscribed
    return {
      topic,
      send: (id, message) => {
        answered.set(id, message)
        passing.set(message, { sentAt: performance.now(), isAnswered: false, took: undefined })
        const params = { topic, message, ttl: 300, tag: 1108, prompt: false }
        sender.send(JSON.stringify({ id, jsonrpc: '2.0', method: 'irn_publish', params }))
      },
    }
  }

  const pairs: Pair[] = []
  for (let index = 0; index < count; index++) pairs.push(await openPair(index))

  return {
    topics: pairs.map(({ topic }) => topic),
    run: async ({ length, every, patience }) => {
      passing.clear()
      const begin = performance.now()
      let id = FIRST_ID
      for (let round = 0; round < length / every; round++)
        for (const [index, pair] of pairs.entries()) {
          const dueAt = begin + round * every + (index * every) / count
          const wait = dueAt - performance.now()
          if (wait > 0) await pause(wait)
          id += 1
          pair.send(id, `${id} ${index} ${'m'.repeat(200)}`)
        }
      const isOver = () => [...passing.values()].every(({ isAnswered, took }) => isAnswered && took !== undefined)
      const until = performance.now() + patience
      while (!isOver() && performance.now() < until) await pause(20)
      const all = [...passing.values()]
      const times = all.flatMap(({ took }) => took ?? []).sort((a, b) => a - b)
      const done = all.filter(({ isAnswered, took }) => isAnswered && took !== undefined && took <= patience)
      return {
        sent: all.length,
        success: done.length / all.length,
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
      }
    },
    undelivered: moment =>
      [...passing.values()].filter(({ sentAt, took }) => took === undefined || sentAt + took >= moment).length,
    close: () => {
      for (const socket of sockets) socket.terminate()
    },
  }
}
