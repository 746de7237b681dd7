import { beforeEach, expect, test, vi } from 'vitest'
import { type ActionMenuParts, createActionMenu } from './action-menu.ts'
import { createClipboard } from './clipboard.ts'
import { serveClipboard } from './offscreen-clipboard.ts'
import { createOffscreenDocument } from './offscreen-document.ts'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

type Listener = (...values: never[]) => unknown

/** A fake browser with a context menu, a permission that the user allows or not, and an offscreen document. */
const world = vi.hoisted(() => {
  const event = () => {
    const listeners: Listener[] = []
    return {
      addListener: (listener: Listener) => void listeners.push(listener),
      fire: (...values: unknown[]) => listeners.map(listener => listener(...(values as never[]))),
      listeners,
    }
  }
  return {
    acts: [] as unknown[],
    isAllowed: true,
    isOpen: false,
    onInstalled: event(),
    onStartup: event(),
    onClicked: event(),
    onMessage: event(),
  }
})

vi.mock('./api.ts', () => ({
  default: {
    i18n: { getMessage: (key: string) => key },
    permissions: {
      request: async (asked: unknown) => {
        world.acts.push(['request', asked])
        return world.isAllowed
      },
    },
    contextMenus: {
      removeAll: async () => void world.acts.push('remove all'),
      create: (item: unknown) => void world.acts.push(['create', item]),
      onClicked: world.onClicked,
    },
    runtime: {
      id: 'heliograph',
      onInstalled: world.onInstalled,
      onStartup: world.onStartup,
      onMessage: world.onMessage,
      sendMessage: async (message: unknown) => world.onMessage.fire(message, { id: 'heliograph' })[0],
      getContexts: async () => Array(world.isOpen ? 1 : 0),
    },
    offscreen: {
      createDocument: async ({ reasons }: { reasons: string[] }) => {
        world.acts.push(['document', ...reasons])
        world.isOpen = true
        serveClipboard()
      },
      closeDocument: async () => {
        world.acts.push('close')
        world.isOpen = false
        world.onMessage.listeners.length = 0
      },
    },
  },
}))

beforeEach(() => {
  world.acts.length = 0
  world.isAllowed = true
  world.isOpen = false
  for (const event of [world.onInstalled, world.onStartup, world.onClicked, world.onMessage]) event.listeners.length = 0
})

const start = (parts: Partial<ActionMenuParts> = {}) => {
  const copied: string[] = []
  createActionMenu({
    readState: async () => ({ selected: ADDRESS, chainId: 1 }),
    copy: async text => void copied.push(text),
    onCopied: () => void copied.push('shown'),
    ...parts,
  })
  const press = (menuItemId = 'copy-address') => world.onClicked.fire({ menuItemId })
  return { copied, press }
}

test('the menu is made at the installation and at each start of the browser, in the language of then', async () => {
  start()
  world.onInstalled.fire()
  const made = ['remove all', ['create', { id: 'copy-address', title: 'copyAddress', contexts: ['action'] }]]
  await expect.poll(() => world.acts).toEqual(made)
  world.onStartup.fire()
  await expect.poll(() => world.acts).toEqual([...made, ...made])
})

test('pressing it asks for the permission at once, and copies the address with its checksum', async () => {
  const { copied, press } = start({ readState: async () => ({ selected: ADDRESS.toLowerCase(), chainId: 1 }) })
  press('another')
  expect(world.acts).toEqual([])
  press()
  expect(world.acts).toEqual([['request', { permissions: ['clipboardWrite'] }]])
  await expect.poll(() => copied).toHaveLength(2)
  expect(copied[0]?.toLowerCase()).toBe(ADDRESS.toLowerCase())
  expect(copied[1]).toBe('shown')
})

test('without the permission, or with a locked wallet, nothing is copied', async () => {
  const read = vi.fn(async () => ({ selected: null, chainId: 1 }))
  const { copied, press } = start({ readState: read })
  press()
  await expect.poll(() => read.mock.calls).toHaveLength(1)
  world.isAllowed = false
  press()
  await expect.poll(() => read.mock.calls).toHaveLength(2)
  expect(copied).toEqual([])
})

/** A document in which `execCommand` copies the selected text. */
const fakeDocument = (copied: string[], works = true) => {
  const area = { value: '', select: () => undefined, remove: () => undefined }
  vi.stubGlobal('document', {
    createElement: () => area,
    body: { append: () => undefined },
    execCommand: (command: string) => {
      if (command === 'copy' && works) copied.push(area.value)
      return works
    },
  })
}

test('the offscreen document copies, and is closed only if it was opened for that', async () => {
  const copied: string[] = []
  fakeDocument(copied)
  const document = createOffscreenDocument()
  await createClipboard(document)('one')
  expect([copied, world.acts]).toEqual([['one'], [['document', 'CLIPBOARD'], 'close']])
  world.acts.length = 0
  await document?.inTurn(() => document.open('WORKERS', 'sockets'))
  await createClipboard(document)('two')
  expect([copied, world.acts]).toEqual([['one', 'two'], [['document', 'WORKERS']]])
  vi.unstubAllGlobals()
})

test('a copy that fails is an error, and the document is closed', async () => {
  fakeDocument([], false)
  await expect(createClipboard(createOffscreenDocument())('one')).rejects.toThrow('The clipboard did not take')
  expect(world.isOpen).toBe(false)
  vi.unstubAllGlobals()
})

test('the offscreen document copies nothing for content scripts and other extensions', () => {
  const copied: string[] = []
  fakeDocument(copied)
  serveClipboard()
  for (const sender of [{ id: 'another' }, { id: 'heliograph', tab: {} }])
    expect(world.onMessage.fire({ copy: 'hostile' }, sender)).toEqual([undefined])
  expect(copied).toEqual([])
  vi.unstubAllGlobals()
})

test('a browser without offscreen documents copies in the background', async () => {
  const writeText = vi.fn(async () => undefined)
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  await createClipboard(null)('one')
  expect(writeText).toHaveBeenCalledWith('one')
  vi.unstubAllGlobals()
})
