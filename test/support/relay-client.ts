/** A relay client with raw frames, which are received as text in the order of arrival. */
import { signJwt } from '@heliograph/shared/wire/relay-auth'
import { WebSocket } from 'ws'
import { opened } from './open-socket.ts'

export type Answer = { id: unknown; jsonrpc: string; result?: unknown; error?: { code: number; message: string } }
export type Push = {
  id: number
  jsonrpc: string
  method: string
  params: {
    id: string
    data: { topic: string; message: string; publishedAt?: number; tag?: number; attestation?: string }
  }
}

export type RelayClient = {
  /** All frames received so far, as text. */
  frames: readonly string[]
  /** Sends a request with a new id and returns its response. */
  call: (method: string, params: unknown) => Promise<Answer>
  /** Sends any text, or bytes as a text frame. */
  send: (frame: string | Uint8Array) => void
  /** Resolves with the next frame that is not a response to `call`. */
  next: () => Promise<string>
  /** Resolves with the next of these frames, parsed as a push. */
  push: () => Promise<Push>
  acknowledge: (push: Push) => void
  /** Returns all unread pushes, after the server has answered one more call. */
  rest: () => Promise<Push[]>
  /** Resolves with the close code. */
  closed: Promise<number>
  /** Closes. Resolves when the server has closed too. */
  close: () => Promise<void>
}

/** Returns a token like the tokens of v2 clients. Its key's seed is this byte, repeated. */
export const tokenOf = (seed: number, now = Math.floor(Date.now() / 1000), aud = 'ws://relay'): string =>
  signJwt({ sub: 'ab'.repeat(32), aud, iat: now, exp: now + 86_400 }, new Uint8Array(32).fill(seed))

/** Returns a socket URL with a query. */
export const socketUrl = (url: string, query: Readonly<Record<string, string>> = {}): string =>
  `${url.replace('http', 'ws')}/?${new URLSearchParams(query)}`

/** Connects as the client with this seed's key, or anonymously without a seed. */
export const connectRelay = async (url: string, seed?: number, aud?: string): Promise<RelayClient> => {
  const socket = new WebSocket(socketUrl(url, seed === undefined ? {} : { auth: tokenOf(seed, undefined, aud) }))
  const frames: string[] = []
  const inbox: string[] = []
  const takers: ((frame: string) => void)[] = []
  const calls = new Map<string, (answer: Answer) => void>()
  let lastCall = 0

  socket.on('message', data => {
    const text = `${data}`
    frames.push(text)
    const answer: Answer = JSON.parse(text)
    const settle = typeof answer.id === 'string' ? calls.get(answer.id) : undefined
    if (settle) {
      calls.delete(`${answer.id}`)
      settle(answer)
      return
    }
    const taker = takers.shift()
    if (taker) taker(text)
    else inbox.push(text)
  })
  const { closed } = await opened(socket)

  const call = (method: string, params: unknown): Promise<Answer> => {
    lastCall += 1
    const id = `call-${lastCall}`
    socket.send(JSON.stringify({ id, jsonrpc: '2.0', method, params }))
    return new Promise(resolve => {
      calls.set(id, resolve)
    })
  }
  const next = async (): Promise<string> => inbox.shift() ?? new Promise(resolve => takers.push(resolve))

  return {
    frames,
    call,
    send: frame => socket.send(frame, { binary: false }),
    next,
    push: async () => JSON.parse(await next()),
    acknowledge: ({ id }) => socket.send(JSON.stringify({ id, jsonrpc: '2.0', result: true })),
    rest: async () => {
      await call('none', {})
      return inbox.splice(0).map(frame => JSON.parse(frame))
    },
    closed,
    close: async () => {
      socket.close()
      await closed
    },
  }
}
