/** A client that loads a server with unique messages. */
import { createHash } from 'node:crypto'
import { signJwt } from '@heliograph/shared/wire/relay-auth'
import { type Dialect, type DialectName, dialects } from './dialects.ts'
import { openJetStream } from './jetstream.ts'
import { openWire } from './wire.ts'

/**
 * Servers that act as one: their ports, to which clients connect in turn, their processes, and their protocol.
 * JetStream has its own client.
 */
export type Target = {
  ports: readonly [number, ...number[]]
  pids: readonly [number, ...number[]]
  dialect: DialectName | 'jetstream'
}

/** True if a publish gets no response. */
export const isSilent = ({ dialect }: Target): boolean => dialect !== 'jetstream' && dialects[dialect].isSilent

export type Client = {
  /** Resolves with the response, or at once if the protocol has none. */
  subscribe: (topic: string) => Promise<void>
  publish: (id: number, topic: string, message: string) => void
  close: () => void
}

export type Listener = {
  /** Called when a publish is acknowledged. */
  onAnswer?: (id: number) => void
  /** Called with each received message. The message is acknowledged afterwards. */
  onPush?: (topic: string, message: string) => void
  onLost?: () => void
}

const fail = (): never => {
  throw new Error('the server closed a connection')
}

let turn = 0
const nextPort = ({ ports }: Target): number => ports[turn++ % ports.length] ?? ports[0]

/** Connects to a server as the client whose key has this seed, or anonymously without a seed. */
export const openClient = async (target: Target, listener: Listener = {}, seed?: number): Promise<Client> => {
  const { onAnswer, onPush, onLost = fail } = listener
  if (target.dialect === 'jetstream') return openJetStream(nextPort(target), listener)
  const dialect: Dialect = dialects[target.dialect]
  const { isBinary, isSilent, isMute, subscribe, publish, read } = dialect
  const subscribing: (() => void)[] = []
  const onFrame = (frame: string): void => {
    const incoming = read(frame)
    if (incoming.kind === 'push') {
      onPush?.(incoming.topic, incoming.message)
      if (!isSilent) wire.send(incoming.acknowledgement)
    } else if (incoming.isTrue) onAnswer?.(incoming.id)
    else subscribing.shift()?.()
  }
  const path = seed === undefined ? '/' : `/?auth=${tokenOf(seed)}`
  const wire = await openWire({ port: nextPort(target), path, isBinary, onFrame, onLost })
  return {
    subscribe: topic => {
      wire.send(subscribe(topic))
      if (isMute) return Promise.resolve()
      return new Promise(resolve => {
        subscribing.push(resolve)
      })
    },
    publish: (id, topic, message) => wire.send(publish(id, topic, message)),
    close: wire.close,
  }
}

const tokenOf = (seed: number): string => {
  const iat = Math.floor(Date.now() / 1000)
  const key = createHash('sha256').update(`client ${seed}`).digest()
  return signJwt({ sub: 'ab'.repeat(32), aud: 'ws://127.0.0.1', iat, exp: iat + 86_400 }, key)
}

/** Opens many clients, several at a time, so that the server's accept queue does not overflow. */
export const openAll = async <T>(count: number, open: (index: number) => Promise<T>): Promise<T[]> => {
  const opened: T[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) opened[index] = await open(index)
  }
  await Promise.all(Array.from({ length: 64 }, lane))
  return opened
}

const LENGTH = 300
const FILLING = 'heliograph'.repeat(LENGTH / 10)

export const topicOf = (index: number): string => createHash('sha256').update(`topic ${index}`).digest('hex')

/** Returns a message that contains its topic and its index. */
export const messageOf = (topic: number, place: number): string => `${topic}.${place}.${FILLING}`.slice(0, LENGTH)

/** Returns the index that a message contains. */
export const placeOf = (message: string): number => Number(message.split('.', 2)[1])
