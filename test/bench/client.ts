/** A client of a server under load, and messages of which each is like no other. */
import { createHash } from 'node:crypto'
import { signJwt } from '@heliograph/shared/wire/relay-auth'
import { type Dialect, type DialectName, dialects } from './dialects.ts'
import { openWire } from './wire.ts'

/** A server: where it listens, its process, and how it is spoken to. */
export type Target = { port: number; pid: number; dialect: DialectName }

export type Client = {
  /** Resolves when it is answered, and at once where nothing is. */
  subscribe: (topic: string) => Promise<void>
  publish: (id: number, topic: string, message: string) => void
  close: () => void
}

export type Listener = {
  /** A publish is answered `true`. */
  onAnswer?: (id: number) => void
  /** A message is here. It is acknowledged when this returns. */
  onPush?: (topic: string, message: string) => void
  onLost?: () => void
}

const fail = (): never => {
  throw new Error('the server closed a connection')
}

/** Connects to a server: with a seed as the client of that key, without one as a client without a name. */
export const openClient = async (target: Target, listener: Listener = {}, seed?: number): Promise<Client> => {
  const { onAnswer, onPush, onLost = fail } = listener
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
  const wire = await openWire({ port: target.port, path, isBinary, onFrame, onLost })
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

/** Opens many, some at a time, so as not to overrun the server's queue of connections. */
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

/** A message that names its topic and its place in it. */
export const messageOf = (topic: number, place: number): string => `${topic}.${place}.${FILLING}`.slice(0, LENGTH)

/** The place that a message says it has. */
export const placeOf = (message: string): number => Number(message.split('.', 2)[1])
