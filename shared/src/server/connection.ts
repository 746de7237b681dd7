/**
 * A WebSocket connection as the servers see it. Frames sent in one turn of the event loop leave together at its end, in
 * their order, with one system call. A peer that does not read is noticed before it costs memory.
 */
import type { WebSocket } from 'uWebSockets.js'
import type { RequestHead } from './http.ts'
import type { SocketLimits } from './rows.ts'
import type { Payers } from './shares.ts'
import { atEndOfTurn } from './turn.ts'

/**
 * What a server does with its connections. `Identity` is what it learns from the upgrade request, `Session` what it
 * keeps of an open connection.
 */
export type SocketHandlers<Identity, Session> = {
  limits: SocketLimits
  /**
   * Who this is. Throws HttpError to refuse the upgrade, SocketRefusal to refuse it in a close frame. It may not take its
   * time: uWebSockets.js now and then closes a connection that is upgraded in a later turn.
   */
  accept: (request: RequestHead, payers: Payers) => Identity
  /** `payers` is the account of its address; there is none for one that is exempt. */
  open: (connection: Connection, identity: Identity, payers: Payers) => Session
  /**
   * Takes a frame, whose bytes are gone when this returns, and tells how many tokens it costs the client and its address.
   */
  message: (session: Session, frame: Buffer) => number
  /** As `message`, for a client that sends too many: what asks for an answer is refused. */
  refuse: (session: Session, frame: Buffer) => number
  /** There is room again after `hasRoom` said no. */
  drain: (session: Session) => void
  /** The peer has the ping of that number, and so all that was sent before. A peer may say so of any number. */
  pong?: (session: Session, ping: number) => void
  close: (session: Session) => void
  /** Resolves when no frame received so far waits for its answer. */
  settled: () => Promise<void>
}

/** Refuses a client in a way that pages in a browser can see: the connection opens and is closed with this code. */
export class SocketRefusal extends Error {
  override name = 'SocketRefusal'
  readonly code: number

  constructor(code: number, reason: string) {
    super(reason)
    this.code = code
  }
}

/** Unsent bytes from which on a connection has no room. */
const HIGH_WATER = 256 * 1024

/** What uWebSockets.js says of a frame that is on its way. */
const SENT = 1

/** Writes the bytes of a text when it leaves, which are good until the next are written; or none, and nothing leaves. */
type Write = () => Uint8Array | undefined
type Frame = string | Write

const NO_FRAMES: Frame[] = []

const dataOf = (frame: Frame): string | Uint8Array | undefined => (typeof frame === 'string' ? frame : frame())

/** Connections with something to send at the end of this turn. */
let due: Connection[] = []

/** Sends what all connections have to send in this turn, and does not wait for its end. */
export const flushConnections = (): void => {
  const connections = due
  due = []
  for (const connection of connections) connection.flush()
}

export type ConnectionEvents = {
  /** There is room again after `hasRoom` said no. */
  onRoom: () => void
  /** The number of unsent bytes has changed by that much. */
  onUnsent: (change: number) => void
  /** The client has had work done that costs so many tokens. */
  onCost: (tokens: number) => void
  /** A write or `onRoom` threw. */
  onFault: (fault: unknown) => void
}

/** After its close it takes frames and drops them. */
export class Connection {
  #ws: WebSocket<unknown> | undefined
  readonly #events: ConnectionEvents
  #frames = NO_FRAMES
  #length = 0
  /** It is among those that are sent to at the end of this turn. */
  #isDue = false
  /** Bytes that were sent and are not on their way, when that was last looked at. */
  #unsent = 0
  #isFull = false
  /** Ticks since the peer last read anything, while there is no room. */
  #stalled = 0
  #lastPing = 0
  #isPingDue = false

  constructor(ws: WebSocket<unknown>, events: ConnectionEvents) {
    this.#ws = ws
    this.#events = events
  }

  get isOpen(): boolean {
    return this.#ws !== undefined
  }

  /** Sends a text at the end of this turn. */
  send(text: string): void {
    this.#collect(text, text.length)
  }

  /** As `send`, of a text that `write` gives the bytes of when it leaves; their number may be a little off. */
  sendBytes(write: Write, length: number): void {
    this.#collect(write, length)
  }

  #collect(frame: Frame, length: number): void {
    if (!this.#ws) return
    this.#length += length
    // Mostly it is the only one.
    if (this.#frames.length === 0) this.#frames = [frame]
    else this.#frames.push(frame)
    this.#sendInTurn()
  }

  #sendInTurn(): void {
    if (this.#isDue || !this.#ws) return
    this.#isDue = true
    if (due.push(this) === 1) atEndOfTurn(flushConnections)
  }

  /** Pings the peer once in this turn, after the frames. Returns the number of the ping, by which `pong` tells of it. */
  ping(): number {
    if (this.#ws && !this.#isPingDue) {
      this.#isPingDue = true
      this.#lastPing += 1
      this.#sendInTurn()
    }
    return this.#lastPing
  }

  /** False while the peer is behind with reading. */
  hasRoom(): boolean {
    if (!this.#ws) return false
    this.#isFull = this.#length + this.#unsent >= HIGH_WATER
    return !this.#isFull
  }

  /** Charges the client and its address for work whose cost shows only when it is done. */
  charge(tokens: number): void {
    this.#events.onCost(tokens)
  }

  /** Closes after what was sent; the peer sees the code and the reason. */
  close(code: number, reason: string): void {
    this.flush()
    this.#ws?.end(code, reason)
  }

  /** For the socket layer: sends what is collected. Never throws: the flush of one connection is followed by that of others. */
  flush(): void {
    this.#guard(() => this.#sendCollected())
  }

  #guard(act: () => void): void {
    try {
      act()
    } catch (fault) {
      this.#events.onFault(fault)
    }
  }

  #sendCollected(): void {
    const frames = this.#frames
    const [frame] = frames
    const isPingDue = this.#isPingDue
    this.#isDue = false
    if (frame === undefined && !isPingDue) return
    this.#frames = NO_FRAMES
    this.#length = 0
    this.#isPingDue = false
    if (frames.length === 1 && frame !== undefined && !isPingDue) {
      if (this.#write(frame) === SENT) return
    } else
      this.#ws?.cork(() => {
        for (const one of frames) this.#write(one)
        if (isPingDue) this.#ws?.ping(`${this.#lastPing}`)
      })
    this.#noticeRoom()
  }

  /** What uWebSockets.js says of it. A frame beyond the limit of unsent bytes closes the connection. */
  #write(frame: Frame): number | undefined {
    const data = dataOf(frame)
    return data === undefined ? SENT : this.#ws?.send(data)
  }

  #noticeRoom(): void {
    this.#noteUnsent(this.#ws?.getBufferedAmount() ?? 0)
    if (this.#isFull && this.hasRoom()) this.#events.onRoom()
  }

  #noteUnsent(unsent: number): void {
    if (unsent === this.#unsent) return
    const change = unsent - this.#unsent
    this.#unsent = unsent
    this.#events.onUnsent(change)
  }

  /** For the socket layer: the peer has read. */
  noticeReading(): void {
    this.#stalled = 0
    this.#guard(() => this.#noticeRoom())
  }

  /** For the socket layer, which calls it at a steady pace: how many times in a row there was no room and no reading. */
  countStalled(): number {
    this.#stalled = this.#isFull ? this.#stalled + 1 : 0
    return this.#stalled
  }

  /** For the socket layer: ends what a close frame could not reach. */
  cut(): void {
    this.#ws?.close()
  }

  /** For the socket layer: the connection is gone. */
  detach(): void {
    this.#ws = undefined
    this.#frames = NO_FRAMES
    this.#noteUnsent(0)
  }
}
