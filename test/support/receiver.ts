/** A webhook receiver: a real HTTP server on loopback that echoes challenges and records all other requests. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

export type Receiver = {
  /** The receiver's URL, with a trailing slash. */
  url: string
  port: number
  /** All requests so far, in the order of arrival. */
  received: readonly Received[]
  /** Resolves with the next unread request. */
  next: () => Promise<Received>
  /** Returns the number of connections so far, including connections that sent no request. */
  connections: () => number
  close: () => Promise<void>
}

export type ReceiverOptions = {
  host?: string
  port?: number
  /**
   * Responds to the request with this index (from 0); by default with status 200. A function that does nothing leaves
   * the request unanswered.
   */
  answer?: (response: ServerResponse, index: number) => void
  /** False to treat challenges like other requests: recorded and passed to `answer`. */
  echoes?: boolean
}

const isChallenge = (body: string): boolean => body.startsWith('{"challenge":')

const ok = (response: ServerResponse): void => {
  response.end()
}

/** Responds with these statuses in order, and from then on with the last one. */
export const inTurn =
  (...statuses: readonly number[]) =>
  (response: ServerResponse, index: number): void => {
    response.writeHead(statuses[Math.min(index, statuses.length - 1)] ?? 200).end()
  }

export const startReceiver = async ({
  host = '127.0.0.1',
  port = 0,
  answer = ok,
  echoes = true,
}: ReceiverOptions = {}): Promise<Receiver> => {
  const received: Received[] = []
  const takers: ((request: Received) => void)[] = []
  const sockets = new Set<Socket>()
  let taken = 0
  let connections = 0

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    if (isChallenge(body) && echoes) {
      response.end(body)
      return
    }
    const one = { path: request.url ?? '', headers: request.headers, body }
    received.push(one)
    answer(response, received.length - 1)
    const taker = takers.shift()
    if (!taker) return
    taken += 1
    taker(one)
  })
  server.on('connection', socket => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo

  return {
    url: `http://${host}:${address.port}/`,
    port: address.port,
    received,
    next: async () => {
      const one = received[taken]
      if (!one) return new Promise(resolve => takers.push(resolve))
      taken += 1
      return one
    },
    connections: () => connections,
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      if (server.listening) await once(server, 'close')
    },
  }
}
