/** A receiver of webhooks: a real HTTP server on loopback that echoes challenges and keeps what else it gets. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

export type Receiver = {
  /** Its address, with a slash at the end. */
  url: string
  port: number
  /** All requests so far, in the order in which they came. */
  received: readonly Received[]
  /** The next request that was not taken yet. */
  next: () => Promise<Received>
  /** Connections so far, whatever came over them. */
  connections: () => number
  close: () => Promise<void>
}

export type ReceiverOptions = {
  host?: string
  port?: number
  /** Answers the request of that number (from 0); the default is 200. One that does nothing leaves it hanging. */
  answer?: (response: ServerResponse, index: number) => void
  /** False for one that takes a challenge for a call. */
  echoes?: boolean
}

const isChallenge = (body: string): boolean => body.startsWith('{"challenge":')

const ok = (response: ServerResponse): void => {
  response.end()
}

/** Answers with these statuses in turn, the last one for ever. */
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
