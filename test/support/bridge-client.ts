/** A v1 client with raw frames, which are received as text in the order of arrival. */
import { once } from 'node:events'
import { type BridgeFrame, encodeBridgeFrame } from '@heliograph/shared/wire/bridge-frames'
import { type ClientOptions, WebSocket } from 'ws'
import { opened } from './open-socket.ts'

export type BridgeClient = {
  /** Sends any text, or bytes as a text frame. */
  send: (frame: string | Uint8Array) => void
  /** Publishes a message; `silent` by default. */
  pub: (topic: string, payload: string, more?: Partial<BridgeFrame>) => void
  sub: (topic: string) => void
  /** The next frame received. */
  next: () => Promise<string>
  /** Returns the payloads of the next `count` frames. */
  payloads: (count: number) => Promise<string[]>
  /** Returns all unread frames, after the server has processed everything sent so far. */
  rest: () => Promise<string[]>
  /** The socket itself. */
  socket: WebSocket
  /** Resolves with the close code. */
  closed: Promise<number>
  /** Closes. Resolves when the server has closed too. */
  close: () => Promise<void>
}

/** The query string of the published JavaScript client. */
const QUERY = 'env=node&protocol=wc&version=1'

/** Connects with the same query as published clients. */
export const connectBridge = async (url: string, options: ClientOptions = {}): Promise<BridgeClient> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?${QUERY}`, options)
  const inbox: string[] = []
  const takers: ((frame: string) => void)[] = []
  socket.on('message', data => {
    const taker = takers.shift()
    if (taker) taker(`${data}`)
    else inbox.push(`${data}`)
  })
  const { closed } = await opened(socket)

  const send = (frame: string | Uint8Array): void => socket.send(frame, { binary: false })
  const pub = (topic: string, payload: string, more: Partial<BridgeFrame> = {}): void =>
    send(encodeBridgeFrame({ topic, type: 'pub', payload, silent: true, ...more }))
  const sub = (topic: string): void => send(encodeBridgeFrame({ topic, type: 'sub', payload: '', silent: true }))
  const next = async (): Promise<string> => inbox.shift() ?? new Promise(resolve => takers.push(resolve))
  const payloads = async (count: number): Promise<string[]> => {
    const taken: string[] = []
    while (taken.length < count) taken.push(JSON.parse(await next()).payload)
    return taken
  }

  /**
   * The protocol has no responses, but a pong arrives after the server has read everything before the ping. A second
   * pong arrives after its effects.
   */
  const rest = async (): Promise<string[]> => {
    for (const mark of ['read', 'sent']) {
      const answered = once(socket, 'pong')
      socket.ping(mark)
      await answered
    }
    return inbox.splice(0)
  }

  return {
    send,
    pub,
    sub,
    next,
    payloads,
    rest,
    socket,
    closed,
    close: async () => {
      socket.close()
      await closed
    },
  }
}
