/** A TCP proxy between a client and the relay. A test can break it without the client noticing. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'

export type Line = {
  /** The relay's URL for the client, and the port in it. */
  url: string
  port: number
  /** Breaks every connection. Until `mend`, new connections get no response, as without reception. */
  cut: () => void
  /** Resolves when the client is connected again. */
  mend: () => Promise<void>
  close: () => Promise<void>
}

const HOST = '127.0.0.1'

/** Starts a proxy to a port of this machine. */
export const openLine = async (port: number): Promise<Line> => {
  const sockets = new Set<Socket>()
  let isCut = false

  const server = createServer(near => {
    sockets.add(near)
    near.once('close', () => sockets.delete(near))
    near.on('error', () => undefined)
    if (!isCut) join(near)
  })
  const join = (near: Socket): void => {
    const far = connect(port, HOST)
    // If one side closes, the other side is closed too, without a reason.
    pipeline(near, far, near, () => undefined)
  }
  const breakAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy()
    sockets.clear()
  }

  server.listen(0, HOST)
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  return {
    url: `ws://${HOST}:${own}`,
    port: own,
    cut: () => {
      isCut = true
      breakAll()
    },
    mend: async () => {
      if (isCut) for (const near of sockets) join(near)
      isCut = false
      if (sockets.size === 0) await once(server, 'connection')
    },
    close: async () => {
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}
