/** Sends raw bytes over a TCP connection, for input that no client library would send. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type Heard = {
  /** All received bytes. */
  said: string
  /** False if the connection was still open after `until` was received. */
  isClosed: boolean
}

export const portOf = (url: string): number => Number(new URL(url).port)

/** Reads from a socket until the other side closes it or sends `until`. Then closes it. */
export const hear = async (socket: Socket, until?: string): Promise<Heard> => {
  let said = ''
  socket.on('error', () => undefined)
  const isClosed = await new Promise<boolean>(resolve => {
    socket.on('data', chunk => {
      said += chunk.toString('latin1')
      if (until !== undefined && said.includes(until)) resolve(false)
    })
    socket.on('close', () => resolve(true))
  })
  socket.destroy()
  return { said, isClosed }
}

/** Sends bytes, given as Latin-1 text, to a server and reads its response. */
export const say = async (url: string, bytes: string, until?: string): Promise<Heard> => {
  const socket = connect(portOf(url), '127.0.0.1')
  socket.write(bytes, 'latin1')
  return hear(socket, until)
}

/** An HTTP request that upgrades to a WebSocket. */
export const UPGRADE = [
  'GET / HTTP/1.1',
  'Host: localhost',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  '\r\n',
].join('\r\n')

/** Opens a WebSocket over a plain socket, on which the test writes its own frames. */
export const openRaw = async (url: string): Promise<Socket> => {
  const socket = connect(portOf(url), '127.0.0.1')
  socket.write(UPGRADE)
  await once(socket, 'data')
  return socket
}

const MASK = Buffer.from([1, 2, 3, 4])

/**
 * Returns a masked frame (RFC 6455 §5.2) with this first byte and payload. `length` is the length that its header
 * claims.
 */
export const frameOf = (first: number, payload: Uint8Array, length = payload.length): Buffer => {
  const short = length < 126
  const header = Buffer.alloc(short ? 2 : 10)
  header[0] = first
  header[1] = 0x80 | (short ? length : 127)
  if (!short) header.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([header, MASK, payload.map((byte, index) => byte ^ (MASK[index % 4] ?? 0))])
}
