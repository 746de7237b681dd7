/**
 * An in-memory relay for tests. It keeps the peers' messages until the wallet acknowledges them, and can be taken
 * offline.
 */
import { decodeJsonRpc, encodeRequest, encodeResult } from '@heliograph/shared/wire/json-rpc'
import type { SocketListener, Sockets } from './relay-client.ts'

export type Published = { topic: string; message: string; tag: number }

export type MemoryRelay = {
  sockets: Sockets
  /** Publishes as a peer. */
  publish(topic: string, message: string): void
  /** Messages published by the wallet. */
  published: readonly Published[]
  /** Returns the number of peers' messages that are not acknowledged. */
  unacknowledged(topic: string): number
  /** Names and URLs of all sockets opened so far. */
  asked: readonly string[]
  /** Returns the number of open sockets. */
  open(): number
  subscribed(): string[]
  goAway(): void
  comeBack(): void
}

type Line = { listener: SocketListener; topics: Set<string>; pushed: Map<string, Kept> }
type Kept = { topic: string; message: string }

/** Creates a relay that responds asynchronously, like a network. */
export const memoryRelay = (): MemoryRelay => {
  const lines = new Set<Line>()
  const kept: Kept[] = []
  const published: Published[] = []
  const asked: string[] = []
  let isAway = false
  let lastId = 0

  const push = (line: Line, message: Kept) => {
    const id = `${++lastId}`
    line.pushed.set(id, message)
    const data = { ...message, tag: 0, publishedAt: 0 }
    queueMicrotask(
      () => lines.has(line) && line.listener.received(encodeRequest(id, 'irn_subscription', { id: 'x', data })),
    )
  }

  const act = (line: Line, method: string, params: Record<string, unknown>) => {
    if (method === 'irn_batchSubscribe') {
      for (const topic of params.topics as string[]) {
        line.topics.add(topic)
        for (const message of kept) if (message.topic === topic) push(line, message)
      }
    }
    if (method === 'irn_unsubscribe') line.topics.delete(params.topic as string)
    if (method === 'irn_publish') published.push(params as Published)
  }

  const take = (line: Line, text: string) => {
    const frame = decodeJsonRpc(text)
    if (frame.kind === 'request') {
      queueMicrotask(() => lines.has(line) && line.listener.received(encodeResult(frame.id ?? 'null', true)))
      act(line, frame.method, frame.params as Record<string, unknown>)
    }
    if (frame.kind === 'response') {
      const message = line.pushed.get(frame.id)
      if (message) kept.splice(kept.indexOf(message), 1)
    }
  }

  return {
    sockets: {
      open: (name, url, listener) => {
        asked.push(`${name} ${url}`)
        const line: Line = { listener, topics: new Set(), pushed: new Map() }
        queueMicrotask(() => {
          if (isAway) return listener.closed(1006, '')
          lines.add(line)
          listener.opened()
        })
        return { send: text => take(line, text), close: () => void lines.delete(line) }
      },
      closeAll: () => lines.clear(),
    },
    publish: (topic, message) => {
      const added = { topic, message }
      kept.push(added)
      for (const line of lines) if (line.topics.has(topic)) push(line, added)
    },
    published,
    unacknowledged: topic => kept.filter(message => message.topic === topic).length,
    asked,
    open: () => lines.size,
    subscribed: () => [...lines].flatMap(({ topics }) => [...topics]),
    goAway: () => {
      isAway = true
      const gone = [...lines]
      lines.clear()
      for (const { listener } of gone) listener.closed(1006, '')
    },
    comeBack: () => {
      isAway = false
    },
  }
}
