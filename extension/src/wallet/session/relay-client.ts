/**
 * The wallet's client for one relay. Keeps one socket open while there are topics or outgoing messages, and reconnects.
 * A message stays in the outbox until the relay has stored it, and a push is acknowledged only after the wallet has
 * stored it, so neither is lost with a socket. https://specs.walletconnect.com/2.0/specs/servers/relay/relay-server-rpc
 */
import { RpcError } from '@heliograph/shared/errors'
import { decodeJsonRpc, encodeResult, type RpcRequest } from '@heliograph/shared/wire/json-rpc'
import { signJwt } from '@heliograph/shared/wire/relay-auth'
import { MAX_ITEMS, subscriptionSchema } from '@heliograph/shared/wire/relay-methods'
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { report, rpcError } from '../text/errors.ts'
import { createSerialQueue, type SerialQueue } from '../work/turns.ts'
import { ConnectionLost, createRelayCalls, isFinal, type RelayCalls } from './relay-calls.ts'
import { audienceOf, socketUrlOf } from './relay-url.ts'
import type { Outgoing } from './state.ts'

export type SocketListener = {
  opened(): void
  received(text: string): void
  /** Called when the socket closes, or could not be opened. */
  closed(code: number, reason: string): void
}
export type Socket = { send(text: string): void; close(): void }
/**
 * Opens a socket, or adopts the socket with this name that a stopped worker left open. Does not call the listener
 * before it returns.
 */
export type OpenSocket = (name: string, url: string, listener: SocketListener) => Socket
/** `closeAll` also closes sockets that were not adopted. */
export type Sockets = { open: OpenSocket; closeAll(): void }

/**
 * `idle`: there is nothing to do. `waiting`: the connection was lost, and is retried at `retryAt`. Times are Unix times
 * in ms.
 */
export type RelayStatus = {
  phase: 'idle' | 'connecting' | 'connected' | 'waiting'
  since: number
  /** Duration of the last response in ms. */
  latency: number | null
  /** Reason for the last disconnect. Null while connected. */
  error: RpcError | null
  retryAt: number | null
}

/** Topics to subscribe to, and messages to publish in order. */
export type Work = { topics: readonly string[]; outbox: readonly Outgoing[] }

export type RelayClient = {
  sync(work: Work): void
  /** Retries a lost relay immediately. Called when the user asks for it, or the computer is online again. */
  wake(): void
  /** Probes a silent relay, and retries a lost one if it is due. Called periodically. */
  tend(): void
  /** Closes the client permanently. Unpublished messages stay in the outbox. */
  close(): void
  status(): RelayStatus
}

export type RelayClientParts = {
  url: string
  /** The wallet's Ed25519 private key for this relay, 32 bytes in hex. */
  seed: string
  openSocket: OpenSocket
  now(): number
  /**
   * Stores a message. The relay gets the acknowledgement when this resolves, and delivers the message again if it
   * rejects.
   */
  onMessage(message: { topic: string; message: string }): Promise<void>
  /** Called when the relay has stored a message from the outbox, or will never accept it. */
  onPublished(id: number): Promise<void>
  onStatus(): void
}

/** Delays in ms between connection attempts. The last one repeats. */
export const PAUSES = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000] as const
/** Timeout in ms for opening a socket, and idle time in ms after which the relay is probed. */
export const OPENING_TIME = 15_000
export const QUIET_TIME = 25_000
/** Delay in ms before a failed publish is retried. */
const PUBLISH_PAUSE = 5_000
/** Minimum duration in ms of a connection that resets the delays. A shorter connection counts as a failure. */
export const STEADY_TIME = 60_000
/** Lifetime of a token in seconds. Each socket gets a new one. */
const TOKEN_LIFETIME = 86_400

const chunks = (topics: readonly string[]): (readonly string[])[] =>
  topics.length === 0 ? [] : [topics.slice(0, MAX_ITEMS), ...chunks(topics.slice(MAX_ITEMS))]

const closedWith = (code: number, text: string): RpcError =>
  text === ''
    ? rpcError('resourceUnavailable', 'relayClosed', { code })
    : rpcError('resourceUnavailable', 'relayClosedSaying', { text })

const unreachable = () => rpcError('resourceUnavailable', 'relayUnreachable')

const silent = () => rpcError('resourceUnavailable', 'relaySilent')

type Connection = {
  socket: Socket
  calls: RelayCalls
  /** Serializes subscription changes, so no topic is subscribed twice. */
  inTurn: SerialQueue
  subscribed: Set<string>
  /** Ids published on this socket. They are kept after completion, because `sync` may receive an older outbox. */
  publishing: Set<number>
  heard: number
}

export const createRelayClient = (parts: RelayClientParts): RelayClient => {
  const { url, seed, now, onStatus } = parts
  let work: Work = { topics: [], outbox: [] }
  let status: RelayStatus = { phase: 'idle', since: now(), latency: null, error: null, retryAt: null }
  let connection: Connection | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isClosed = false

  const isOpen = () => status.phase === 'connected'

  const tell = (change: Partial<RelayStatus>) => {
    const since = change.phase === undefined || change.phase === status.phase ? status.since : now()
    status = { ...status, ...change, since }
    onStatus()
  }
  const after = (pause: number, act: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(act, pause)
  }

  const token = (): string => {
    const iat = Math.floor(now() / 1000)
    const claims = { sub: bytesToHex(randomBytes(32)), aud: audienceOf(url), iat, exp: iat + TOKEN_LIFETIME }
    return signJwt(claims, hexToBytes(seed))
  }

  /** Closes the socket if it is still the current one. */
  const drop = (dropped: Connection): boolean => {
    if (connection !== dropped) return false
    connection = null
    clearTimeout(timer)
    dropped.calls.end()
    dropped.socket.close()
    return true
  }
  const lose = (lost: Connection, error: RpcError) => {
    if (!drop(lost)) return
    if (isOpen() && now() - status.since >= STEADY_TIME) failures = 0
    const pause = PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 0
    failures += 1
    tell({ phase: 'waiting', error, retryAt: now() + pause, latency: null })
    after(pause, connect)
  }
  const rest = (resting: Connection) => {
    if (!drop(resting)) return
    failures = 0
    tell({ phase: 'idle', error: null, retryAt: null, latency: null })
  }

  const isNeeded = () => work.topics.length > 0 || work.outbox.length > 0

  const subscribe = async (at: Connection) => {
    for (const topics of chunks(work.topics.filter(topic => !at.subscribed.has(topic)))) {
      const begun = now()
      await at.calls.call('irn_batchSubscribe', { topics })
      for (const topic of topics) at.subscribed.add(topic)
      tell({ phase: 'connected', error: null, retryAt: null, latency: now() - begun })
    }
  }
  const unsubscribe = async (at: Connection) => {
    for (const topic of [...at.subscribed].filter(known => !work.topics.includes(known))) {
      at.subscribed.delete(topic)
      await at.calls.call('irn_unsubscribe', { topic })
    }
  }

  const publish = async (at: Connection, { id, topic, message, tag, ttl, prompt }: Outgoing) => {
    at.publishing.add(id)
    try {
      await at.calls.call('irn_publish', { topic, message, ttl, prompt, tag })
    } catch (error) {
      if (!isFinal(error)) throw error
    }
    await parts.onPublished(id)
  }
  const publishAll = (at: Connection) =>
    Promise.all(
      work.outbox
        .filter(({ id }) => !at.publishing.has(id))
        .map(outgoing =>
          publish(at, outgoing).catch(error => {
            at.publishing.delete(outgoing.id)
            if (error instanceof ConnectionLost || connection !== at) return
            if (!(error instanceof RpcError)) report(error)
            after(PUBLISH_PAUSE, () => void run(at))
          }),
        ),
    )

  /** Applies the work to the socket. Subscribes first, because a published message may be answered immediately. */
  const run = async (at: Connection) => {
    try {
      await at.inTurn(() => subscribe(at))
      if (status.phase === 'connecting') tell({ phase: 'connected', error: null })
      await Promise.all([publishAll(at), unsubscribe(at)])
      if (!isNeeded()) rest(at)
    } catch (error) {
      lose(at, error instanceof RpcError ? error : silent())
    }
  }

  const onPush = async (at: Connection, { id, params }: RpcRequest) => {
    const push = v.safeParse(subscriptionSchema, params)
    if (!push.success || id === undefined) return
    try {
      const { topic, message } = push.output.data
      await parts.onMessage({ topic, message })
      if (connection === at) at.socket.send(encodeResult(id, true))
    } catch (error) {
      // A failed message is not acknowledged, so the relay delivers it again, when the wallet is unlocked or the disk
      // has space.
      if (!(error instanceof RpcError)) report(error)
    }
  }

  const onText = (at: Connection, text: string) => {
    at.heard = now()
    const frame = decodeJsonRpc(text)
    if (frame.kind === 'response') at.calls.answered(frame)
    if (frame.kind === 'request' && frame.method === 'irn_subscription') void onPush(at, frame)
  }

  const connect = () => {
    tell({ phase: 'connecting', retryAt: null })
    let hasOpened = false
    const listener: SocketListener = {
      opened: () => {
        hasOpened = true
        clearTimeout(timer)
        void run(at)
      },
      received: text => {
        if (connection === at) onText(at, text)
      },
      closed: (code, text) => lose(at, hasOpened ? closedWith(code, text) : unreachable()),
    }
    const socket = parts.openSocket(url, socketUrlOf(url, token()), listener)
    const calls = createRelayCalls(
      text => socket.send(text),
      now() * 1000,
      () => lose(at, silent()),
    )
    const at: Connection = {
      socket,
      calls,
      inTurn: createSerialQueue(),
      subscribed: new Set(),
      publishing: new Set(),
      heard: now(),
    }
    connection = at
    after(OPENING_TIME, () => lose(at, unreachable()))
  }

  const retry = () => {
    clearTimeout(timer)
    connect()
  }
  const probe = () => {
    if (!connection || !isOpen() || now() - connection.heard < QUIET_TIME) return
    // Probes by repeating a subscription: it is idempotent, every relay supports it, and it delivers stored messages.
    const [topics = []] = chunks(work.topics)
    connection.calls.call('irn_batchSubscribe', { topics }).catch(() => undefined)
  }

  return {
    sync: wanted => {
      if (isClosed) return
      work = wanted
      if (connection && isOpen()) void run(connection)
      else if (status.phase === 'idle' && isNeeded()) connect()
      else if (status.phase === 'waiting' && !isNeeded()) {
        clearTimeout(timer)
        tell({ phase: 'idle', error: null, retryAt: null })
      }
    },
    wake: () => {
      if (!isClosed && status.phase === 'waiting') retry()
      else probe()
    },
    tend: () => {
      if (!isClosed && status.retryAt !== null && now() >= status.retryAt) retry()
      else probe()
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      if (connection) rest(connection)
    },
    status: () => status,
  }
}
