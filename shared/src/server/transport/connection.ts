/**
 * A WebSocket connection. Frames sent in one turn of the event loop are written at its end, in order, with one system
 * call. Detects peers that do not read, before their send buffers use much memory.
 */
import type { WebSocket } from 'uWebSockets.js'
import type { SocketLimits } from '../limits/rows.ts'
import type { Payers } from '../limits/shares.ts'
import { atEndOfTurn } from '../process/turn.ts'
import type { RequestHead } from './http.ts'

/**
 * A server's event handlers. `Identity` is derived from the upgrade request; `Session` is the server's state for an
 * open connection.
 */
export type SocketHandlers<Identity, Session> = {
  limits: SocketLimits
  /**
   * Authenticates a client. Throws HttpError to refuse the upgrade, or SocketRefusal to refuse it with a close frame.
   */
  accept: (request: RequestHead, payers: Payers) => Identity
  /** `payers` holds the account of the client's address. It is empty for an exempt address. */
  open: (connection: Connection, identity: Identity, payers: Payers) => Session
  /**
   * Handles a frame and returns its cost in tokens. The bytes are valid only during the call.
   */
  message: (session: Session, frame: Buffer) => number
  /** Handles a frame of a client that exceeds its rate, by refusing its requests. Returns the cost in tokens. */
  refuse: (session: Session, frame: Buffer) => number
  /** Called when there is room again after `hasRoom` returned false. */
  drain: (session: Session) => void
  /** Called for a pong: the peer has received everything sent before that ping. `ping` is not validated. */
  pong?: (session: Session, ping: number) => void
  close: (session: Session) => void
  /** Resolves when all received frames have been answered. */
  settled: () => Promise<void>
}

/** Refuses a client in a way visible to web pages: the connection opens and is closed with this code. */
export class SocketRefusal extends Error {
  override name = 'SocketRefusal'
  readonly code: number

  constructor(code: number, reason: string) {
    super(reason)
    this.code = code
  }
}

/** Number of unsent bytes at which `hasRoom` becomes false. */
const HIGH_WATER = 256 * 1024

/** uWebSockets.js' result for a frame that was written or buffered. */
const SENT = 1

/** Returns the bytes to send, valid until the next call; undefined to send nothing. */
type Write = () => Uint8Array | undefined
type Frame = string | Write

const NO_FRAMES: Frame[] = []

const dataOf = (frame: Frame): string | Uint8Array | undefined => (typeof frame === 'string' ? frame : frame())

/** Connections with data to send at the end of this turn. */
let due: Connection[] = []

/** Flushes all connections now instead of at the end of the turn. */
export const flushConnections = (): void => {
  const connections = due
  due = []
  for (const connection of connections) connection.flush()
}

export type ConnectionEvents = {
  /** Called when there is room again after `hasRoom` returned false. */
  onRoom: () => void
  /** Called when the number of unsent bytes changes. */
  onUnsent: (change: number) => void
  /** Called to charge the client for work in tokens. */
  onCost: (tokens: number) => void
  /** Called when a write or `onRoom` throws. */
  onFault: (fault: unknown) => void
}

/** A WebSocket connection. After `close` it silently drops frames. */
export class Connection {
  #ws: WebSocket<unknown> | undefined
  readonly #events: ConnectionEvents
  #frames = NO_FRAMES
  #length = 0
  /** True while the connection is in the list of connections to flush. */
  #isDue = false
  /** Unsent bytes when last measured. */
  #unsent = 0
  #isFull = false
  /** Ticks since the peer last read, while there is no room. */
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

  /** Sends a text frame at the end of this turn. */
  send(text: string): void {
    this.#collect(text, text.length)
  }

  /** Like `send`, but gets the bytes from `write` when the frame is written. `length` may be approximate. */
  sendBytes(write: Write, length: number): void {
    this.#collect(write, length)
  }

  #collect(frame: Frame, length: number): void {
    if (!this.#ws) return
    this.#length += length
    // Usually there is only one frame, so this avoids growing an array.
    if (this.#frames.length === 0) this.#frames = [frame]
    else this.#frames.push(frame)
    this.#sendInTurn()
  }

  #sendInTurn(): void {
    if (this.#isDue || !this.#ws) return
    this.#isDue = true
    if (due.push(this) === 1) atEndOfTurn(flushConnections)
  }

  /** Pings the peer after this turn's frames, once per turn. Returns the number that its pong will have. */
  ping(): number {
    if (this.#ws && !this.#isPingDue) {
      this.#isPingDue = true
      this.#lastPing += 1
      this.#sendInTurn()
    }
    return this.#lastPing
  }

  /** False while the peer is behind in reading. */
  hasRoom(): boolean {
    if (!this.#ws) return false
    this.#isFull = this.#length + this.#unsent >= HIGH_WATER
    return !this.#isFull
  }

  /** Charges the client and its address for work whose cost is known only afterwards. */
  charge(tokens: number): void {
    this.#events.onCost(tokens)
  }

  /** Sends the collected frames and closes the connection. */
  close(code: number, reason: string): void {
    this.flush()
    this.#ws?.end(code, reason)
  }

  /** Writes collected frames. Never throws, because connections are flushed in a loop. */
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

  /** Returns uWebSockets.js' result. A frame over the limit of unsent bytes closes the connection. */
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

  /** For sockets.ts: called when the peer has read. */
  noticeReading(): void {
    this.#stalled = 0
    this.#guard(() => this.#noticeRoom())
  }

  /** For sockets.ts, once per tick: returns the number of consecutive ticks without room and without reading. */
  countStalled(): number {
    this.#stalled = this.#isFull ? this.#stalled + 1 : 0
    return this.#stalled
  }

  /** For sockets.ts: closes the connection without a close frame. */
  cut(): void {
    this.#ws?.close()
  }

  /** For sockets.ts: called when the connection has closed. */
  detach(): void {
    this.#ws = undefined
    this.#frames = NO_FRAMES
    this.#noteUnsent(0)
  }
}
