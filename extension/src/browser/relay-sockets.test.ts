import { beforeEach, expect, test, vi } from 'vitest'
import type { SocketListener } from '../wallet/session/relay-client.ts'
import { createOffscreenDocument } from './offscreen-document.ts'
import { serveSockets } from './offscreen-sockets.ts'
import { createRelaySockets } from './relay-sockets.ts'

type Listener = (message: unknown, sender: { id?: string; tab?: object }, respond?: () => void) => unknown

/** A fake browser with an offscreen document. Worker and document are the listeners of messages. */
const world = vi.hoisted(() => ({
  listeners: [] as Listener[],
  ofDocument: [] as Listener[],
  documents: 0,
  onDocument: (): void => undefined,
}))

vi.mock('./api.ts', () => ({
  default: {
    runtime: {
      id: 'heliograph',
      onMessage: { addListener: (listener: Listener) => void world.listeners.push(listener) },
      sendMessage: async (message: unknown) => {
        const all = [...world.listeners, ...world.ofDocument]
        const taken = all.map(listener => listener(message, { id: 'heliograph' }, () => undefined))
        if (taken.every(answer => answer === undefined)) throw new Error('Could not establish connection.')
      },
      getContexts: async () => Array.from({ length: world.ofDocument.length > 0 ? 1 : 0 }),
    },
    offscreen: {
      createDocument: async () => {
        world.documents += 1
        world.onDocument()
      },
      closeDocument: async () => void world.ofDocument.splice(0),
    },
  },
}))

class FakeSocket {
  static readonly OPEN = 1
  static all: FakeSocket[] = []
  readyState = 0
  sent: string[] = []
  onopen = (): void => undefined
  onmessage = (_: { data: unknown }): void => undefined
  onclose = (_: { code: number; reason: string }): void => undefined
  readonly url: string
  constructor(url: string) {
    this.url = url
    FakeSocket.all.push(this)
  }
  send(text: string) {
    this.sent.push(text)
  }
  close() {
    this.readyState = 3
  }
  open() {
    this.readyState = FakeSocket.OPEN
    this.onopen()
  }
}

beforeEach(() => {
  world.listeners.length = 0
  world.ofDocument.length = 0
  world.documents = 0
  FakeSocket.all = []
  world.onDocument = () => {
    const before = world.listeners.length
    serveSockets()
    world.ofDocument.push(...world.listeners.splice(before))
  }
  vi.stubGlobal('WebSocket', FakeSocket)
})

const settle = () => new Promise(resolve => setTimeout(resolve))
const hearing = () => {
  const heard: unknown[] = []
  const listener: SocketListener = {
    opened: () => void heard.push('opened'),
    received: text => void heard.push(text),
    closed: (code, reason) => void heard.push([code, reason]),
  }
  return { heard, listener }
}
const onlySocket = () => {
  const [socket] = FakeSocket.all
  if (!socket) throw new Error('no socket was made')
  return socket
}

test('opens a socket in the document, sends and receives through it, and closes the document with it', async () => {
  const sockets = createRelaySockets(createOffscreenDocument())
  const { heard, listener } = hearing()
  const socket = sockets.open('relay', 'wss://relay.example/', listener)
  socket.send('too early, so it is lost')
  await settle()
  onlySocket().open()
  onlySocket().onmessage({ data: 'hello' })
  socket.send('hi')
  await settle()
  expect([world.documents, onlySocket().url, onlySocket().sent, heard]).toEqual([
    1,
    'wss://relay.example/',
    ['hi'],
    ['opened', 'hello'],
  ])
  socket.close()
  await settle()
  expect([onlySocket().readyState, world.ofDocument.length, heard.length]).toEqual([3, 0, 2])
})

test('a restarted worker takes over the open socket and the message that woke it', async () => {
  createRelaySockets(createOffscreenDocument()).open('relay', 'wss://relay.example/?first', hearing().listener)
  await settle()
  onlySocket().open()
  // After the worker is stopped, only the document listens.
  world.listeners.length = 0
  const sockets = createRelaySockets(createOffscreenDocument())
  onlySocket().onmessage({ data: 'wake up' })
  await settle()
  const { heard, listener } = hearing()
  sockets.open('relay', 'wss://relay.example/?second', listener)
  await settle()
  onlySocket().onmessage({ data: 'again' })
  await settle()
  expect(FakeSocket.all).toHaveLength(1)
  expect(heard.toSorted()).toEqual(['again', 'opened', 'wake up'])
})

test('closes sockets left open by a stopped worker', async () => {
  createRelaySockets(createOffscreenDocument()).open('relay', 'wss://relay.example/', hearing().listener)
  await settle()
  world.listeners.length = 0
  createRelaySockets(createOffscreenDocument()).closeAll()
  await settle()
  expect(world.ofDocument).toEqual([])
})

test('reports the close of a socket once, to its owner only', async () => {
  const sockets = createRelaySockets(createOffscreenDocument())
  const [first, second] = [hearing(), hearing()]
  sockets.open('relay', 'wss://relay.example/', first.listener).close()
  sockets.open('relay', 'wss://relay.example/', second.listener)
  await settle()
  const [old, current] = FakeSocket.all
  old?.onclose({ code: 1000, reason: '' })
  current?.onclose({ code: 1012, reason: 'restart' })
  await settle()
  expect([first.heard, second.heard]).toEqual([[], [[1012, 'restart']]])
})

test('ignores content scripts', async () => {
  const sockets = createRelaySockets(createOffscreenDocument())
  const { heard, listener } = hearing()
  sockets.open('relay', 'wss://relay.example/', listener)
  await settle()
  for (const tell of [...world.listeners, ...world.ofDocument]) {
    tell({ news: 'received', name: 'relay', text: 'forged' }, { id: 'heliograph', tab: {} })
    tell({ order: 'close', name: 'relay' }, { id: 'heliograph', tab: {} })
    tell({ news: 'received', name: 'relay', text: 'forged' }, { id: 'another' })
  }
  expect([heard, onlySocket().readyState]).toEqual([[], 0])
})

test('treats an invalid URL like an unreachable relay', async () => {
  vi.stubGlobal(
    'WebSocket',
    class {
      constructor() {
        throw new SyntaxError('insecure')
      }
    },
  )
  const { heard, listener } = hearing()
  createRelaySockets(createOffscreenDocument()).open('relay', 'ws://relay.example/', listener)
  await settle()
  expect(heard).toEqual([[1006, 'the browser refuses this address']])
})
