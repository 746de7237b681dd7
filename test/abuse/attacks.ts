/** Ten attack strategies against a relay, each with any number of sockets and keys, at full speed. */
import { createHash, randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { signJwt } from '@heliograph/shared/wire/relay-auth'
import { frameOf } from '../support/raw.ts'

export const strategies = [
  'subscribe floods',
  'batch floods',
  'store floods',
  'webhook floods',
  'slow readers',
  'half-open',
  'malformed',
  'reconnect storms',
  'token guessing',
  'fan-in',
] as const
export type Strategy = (typeof strategies)[number]

export type Attack = {
  strategy: Strategy
  /** The attacker's IP address. */
  address: string
  /** A topic of the honest clients. */
  victim: string
  /** Port of a webhook receiver that never responds. */
  target: number
  /** Port of the server that the attacker floods instead of the relay during the quiet time; 0 picks a free port. */
  ownPort: number
}

const DAY = 24 * 60 * 60
const MONTH = 30 * DAY
const LONG = 'x'.repeat(200_000)
const TEXT = 0x81
/** Number of keys. Their tokens are signed in advance, because signing is slower than the attack. */
const KEYS = 200

const topic = (): string => randomBytes(32).toString('hex')

const tokens = (): string[] => {
  const iat = Math.floor(Date.now() / 1000)
  return Array.from({ length: KEYS }, (_, index) => {
    const seed = createHash('sha256').update(`attacker ${index} ${process.pid}`).digest()
    return signJwt({ sub: 'ab'.repeat(32), aud: 'ws://127.0.0.1', iat, exp: iat + DAY }, seed)
  })
}

let lastId = 0
const call = (method: string, params: object): string => {
  lastId += 1
  return JSON.stringify({ id: lastId, jsonrpc: '2.0', method, params })
}
const framed = (text: string): Buffer => frameOf(TEXT, Buffer.from(text))

const upgrade = (token: string): string =>
  [
    `GET /?auth=${token} HTTP/1.1`,
    'Host: localhost',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '\r\n',
  ].join('\r\n')

const post = (body: string): string =>
  `POST /subscribe HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Data that is sent over one connection: `first` once, and then `next` repeatedly until the server closes it. */
type Script = {
  first: () => string | Buffer
  next?: () => string | Buffer
  reads?: boolean
  life?: number
  most?: number
}

const scriptOf = ({ strategy, victim, target }: Attack): Script => {
  const keys = tokens()
  let turn = 0
  const key = (): string => {
    turn += 1
    return keys[turn % KEYS] ?? ''
  }
  const begin = (): string => upgrade(key())
  const publish = (to: string, message: string): Buffer =>
    framed(call('irn_publish', { topic: to, message, ttl: MONTH, tag: 1108, prompt: true }))
  const scripts: Record<Strategy, Script> = {
    'subscribe floods': { first: begin, next: () => framed(call('irn_subscribe', { topic: topic() })) },
    'batch floods': {
      first: begin,
      next: () => framed(call('irn_batchSubscribe', { topics: Array.from({ length: 500 }, topic) })),
    },
    'store floods': { first: begin, next: () => publish(topic(), `${Math.random()} ${LONG}`) },
    'webhook floods': {
      first: () => '',
      next: () => post(JSON.stringify({ topic: topic(), webhook: `http://127.0.0.2:${target}/${topic()}` })),
    },
    'slow readers': {
      first: () =>
        Buffer.concat([Buffer.from(begin()), framed(call('irn_subscribe', { topic: victim.replace(/^../, 'ee') }))]),
      next: () =>
        turn++ % 8 === 0
          ? publish(victim.replace(/^../, 'ee'), `${Math.random()} ${LONG}`)
          : framed(call('irn_fetchMessages', { topic: victim.replace(/^../, 'ee') })),
      reads: false,
    },
    'half-open': { first: () => (turn++ % 2 === 0 ? '' : 'GET / HTTP/1.1\r\nHo'), most: 4000 },
    malformed: {
      first: begin,
      next: () => {
        const kinds = [
          () => framed('{"id":'),
          () => framed(`${'['.repeat(5000)}${']'.repeat(5000)}`),
          () => frameOf(TEXT, randomBytes(300)),
          () => framed('{"id":1,"jsonrpc":"2.0","result":true}'),
          () => frameOf(0x89, randomBytes(100)),
          () => randomBytes(200),
        ]
        return kinds[turn++ % kinds.length]?.() ?? ''
      },
    },
    'reconnect storms': {
      first: () => Buffer.concat([Buffer.from(begin()), framed(call('irn_subscribe', { topic: topic() }))]),
      life: 5,
    },
    'token guessing': { first: () => upgrade(key().replace(/.{8}$/, topic().slice(0, 8))), life: 50 },
    'fan-in': { first: begin, next: () => publish(victim, `${Math.random()}`) },
  }
  return scripts[strategy]
}

const SOCKETS = 400
/** Milliseconds after which a refused connection is retried. */
const AGAIN = 1

/** Generates the keys. Returns a function that attacks the server on a port of 127.0.0.1 until the process exits. */
export const prepare = (options: Attack): ((port: number) => void) => {
  const { first, next, reads = true, life, most = SOCKETS } = scriptOf(options)

  const write = (socket: Socket): void => {
    if (!next) return
    for (let count = 0; count < 50; count++) {
      if (socket.destroyed) return
      if (!socket.write(next())) {
        socket.once('drain', () => setImmediate(write, socket))
        return
      }
    }
    setImmediate(write, socket)
  }

  const open = (port: number): void => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: options.address })
    socket.on('error', () => undefined)
    socket.on('close', () => setTimeout(open, AGAIN, port))
    socket.on('connect', () => {
      const begun = first()
      if (begun.length > 0) socket.write(begun)
      if (life !== undefined) setTimeout(() => socket.destroy(), life)
      setTimeout(write, life ?? 20, socket)
    })
    if (reads) socket.resume()
  }
  return port => {
    for (let count = 0; count < most; count++) setTimeout(open, count / 4, port)
  }
}
