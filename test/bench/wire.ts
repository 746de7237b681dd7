/**
 * A WebSocket client (RFC 6455) on a plain socket, cheap enough to load a server. It builds frames itself, reads into
 * one buffer, and sends all frames of an event loop turn in one write.
 */
import { connect, type Socket } from 'node:net'

/**
 * `isBinary` sends frames as binary instead of text. Their content is ASCII in both cases. `onLost` is called if the
 * server closes the connection.
 */
type Options = { port: number; path: string; isBinary: boolean; onFrame: (frame: string) => void; onLost: () => void }

/** A connection. Frames are written at the end of the turn, or by `flush`. */
export type Wire = { send: (frame: string) => void; close: () => void }

const TEXT = 1
const BINARY = 2
const CLOSE = 8
const PING = 9
const PONG = 10

/** Returns the header of a client's frame. Its masking key is zero, so the payload is unchanged. */
const headOf = (opcode: number, length: number): string =>
  length < 126
    ? String.fromCharCode(0x80 | opcode, 0x80 | length, 0, 0, 0, 0)
    : String.fromCharCode(0x80 | opcode, 0xfe, length >> 8, length & 255, 0, 0, 0, 0)

/** Returns the payload range of a server's frame, or undefined if the header is incomplete. */
const payloadAt = (bytes: Buffer, at: number): [start: number, end: number] | undefined => {
  const left = bytes.length - at
  const length = left < 2 ? 0 : bytes.readUInt8(at + 1)
  if (length > 126) throw new Error('a frame is longer than any expected one')
  if (left < (length === 126 ? 4 : 2)) return undefined
  return length === 126 ? [at + 4, at + 4 + bytes.readUInt16BE(at + 2)] : [at + 2, at + 2 + length]
}

/** Emits the complete frames of a server. Returns the number of bytes consumed. */
const readFrames = (bytes: Buffer, take: (opcode: number, payload: string) => void): number => {
  for (let at = 0; ; ) {
    const [start, end] = payloadAt(bytes, at) ?? [at, Number.POSITIVE_INFINITY]
    if (end > bytes.length) return at
    take(bytes.readUInt8(at) & 15, bytes.toString('latin1', start, end))
    at = end
  }
}

let waiting: { socket: Socket; queue: string[] }[] = []

/** Sends the queued frames of every socket. */
export const flush = (): void => {
  const ready = waiting
  waiting = []
  for (const { socket, queue } of ready) if (socket.writable) socket.write(queue.splice(0).join(''), 'latin1')
}

const upgradeRequest = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

const END_OF_HEAD = '\r\n\r\n'
const NOTHING = Buffer.alloc(0)
const buffer = Buffer.allocUnsafe(256 * 1024)

/** Connects to 127.0.0.1. Rejects if the server does not upgrade the connection. */
export const openWire = ({ port, path, isBinary, onFrame, onLost }: Options): Promise<Wire> =>
  new Promise((resolve, reject) => {
    const queue: string[] = []
    const sendFrame = (opcode: number, payload: string): void => {
      if (queue.push(headOf(opcode, payload.length), payload) > 2) return
      if (waiting.push({ socket, queue }) === 1) setImmediate(flush)
    }
    const take = (opcode: number, payload: string): void => {
      if (opcode === PING) sendFrame(PONG, payload)
      else if (opcode === CLOSE) socket.destroy()
      else onFrame(payload)
    }
    const upgrade = (bytes: Buffer): number => {
      const end = bytes.indexOf(END_OF_HEAD)
      if (end === -1) return 0
      const head = bytes.toString('latin1', 0, end)
      if (!head.startsWith('HTTP/1.1 101 ')) reject(new Error(head))
      read = readFrames
      const send = (frame: string): void => sendFrame(isBinary ? BINARY : TEXT, frame)
      resolve({ send, close: () => socket.off('close', onLost).destroy() })
      return end + END_OF_HEAD.length
    }
    let read: typeof readFrames = upgrade
    let rest = NOTHING
    const callback = (length: number): boolean => {
      const fresh = buffer.subarray(0, length)
      const bytes = rest.length === 0 ? fresh : Buffer.concat([rest, fresh])
      const taken = read(bytes, take)
      rest = taken === bytes.length ? NOTHING : Buffer.from(bytes.subarray(taken))
      return true
    }
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer, callback } })
    socket.on('error', reject)
    socket.once('close', onLost)
    socket.write(upgradeRequest(path))
  })
