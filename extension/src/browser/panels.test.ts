import { beforeEach, expect, test, vi } from 'vitest'
import { openPanelOnCommand } from './open-panel.ts'
import { createPanelWindow } from './panel-window.ts'
import { createPanels } from './panels.ts'

type Listener = (...values: never[]) => unknown

/** A fake browser: tabs by id with their windows, the windows with an open panel, and the listeners. */
const world = vi.hoisted(() => {
  const event = () => {
    const listeners = new Set<Listener>()
    return {
      addListener: (listener: Listener) => void listeners.add(listener),
      removeListener: (listener: Listener) => void listeners.delete(listener),
      fire: (...values: unknown[]) => [...listeners].map(listener => listener(...(values as never[]))),
      listeners,
    }
  }
  return {
    tabs: new Map<number, number>(),
    /** Fragments of the open panels' URLs. */
    open: [] as string[],
    fragments: [] as unknown[],
    acts: [] as unknown[],
    url: 'https://a.example/',
    own: undefined as { id: number } | undefined,
    onConnect: event(),
    onCommand: event(),
    onActivated: event(),
    onUpdated: event(),
    onDisconnect: event(),
  }
})

vi.mock('./api.ts', () => ({
  default: {
    runtime: {
      getURL: (path: string) => `chrome-extension://heliograph/${path}`,
      onConnect: world.onConnect,
      getContexts: async () =>
        world.open.map(hash => ({ documentUrl: `chrome-extension://heliograph/panel.html${hash}`, windowId: -1 })),
    },
    commands: { onCommand: world.onCommand },
    sidePanel: { open: async (options: unknown) => void world.acts.push(['open', options]) },
    tabs: {
      get: async (id: number) => {
        const windowId = world.tabs.get(id)
        if (windowId === undefined) throw new Error(`No tab with id: ${id}.`)
        return { id, windowId }
      },
      getCurrent: async () => world.own,
      query: async (filter: unknown) => {
        world.acts.push(['query', filter])
        return [{ url: world.url }]
      },
      onActivated: world.onActivated,
      onUpdated: world.onUpdated,
    },
    windows: {
      getCurrent: async () => ({ id: 5 }),
      update: async (...given: unknown[]) => void world.acts.push(['update', ...given]),
    },
  },
}))

beforeEach(() => {
  world.acts.length = 0
  world.open = []
  world.fragments = []
  vi.stubGlobal('history', { replaceState: (...given: unknown[]) => world.fragments.push(given[2]) })
  world.own = undefined
  for (const event of [world.onConnect, world.onCommand, world.onActivated, world.onUpdated, world.onDisconnect])
    event.listeners.clear()
})

/** Connects a page as the browser does. A panel has no tab. */
const connect = (name: string, path: string, tab?: object) =>
  world.onConnect.fire({
    name,
    sender: { url: `chrome-extension://heliograph/${path}`, tab },
    onDisconnect: world.onDisconnect,
  })

test('the panel beside a tab is the one in its window, if it is open and the tab still exists', async () => {
  const panels = createPanels(async () => undefined)
  world.tabs.set(10, 1).set(20, 2).set(30, 11)
  world.open = ['', '#1']
  expect([await panels.beside(10), await panels.beside(20), await panels.beside(30)]).toEqual([1, null, null])
  expect(await panels.beside(40)).toBeNull()
  expect([await panels.isOpen(1), await panels.isOpen(2)]).toEqual([true, false])
  await panels.show(1)
  expect(world.acts).toEqual([['update', 1, { focused: true }]])
})

test('the end of a panel is reported, but not the end of another page or of the wallet in a tab', async () => {
  const closed = vi.fn(async () => undefined)
  createPanels(closed)
  connect('ui', 'popup.html')
  connect('ui', 'panel.html', { id: 3 })
  connect('page', 'panel.html')
  expect(world.onDisconnect.listeners.size).toBe(0)
  connect('ui', 'panel.html#1')
  world.onDisconnect.fire()
  expect(closed).toHaveBeenCalledOnce()
})

test("the command opens the panel of the tab's window, before anything is awaited", () => {
  openPanelOnCommand()
  world.onCommand.fire('_execute_action', { windowId: 7 })
  world.onCommand.fire('open-panel', undefined)
  expect(world.acts).toEqual([])
  world.onCommand.fire('open-panel', { windowId: 7 })
  expect(world.acts).toEqual([['open', { windowId: 7 }]])
})

test('a panel has the id of its window, which its URL tells, and the same page in a tab is no panel', async () => {
  expect(await createPanelWindow().panel).toBe(5)
  world.own = { id: 4 }
  expect(await createPanelWindow().panel).toBeNull()
  expect(world.fragments).toEqual(['#5'])
})

test("a panel follows the active tab of its window, and ignores changes that do not change a tab's site", async () => {
  const seen: unknown[] = []
  const stop = createPanelWindow().watchSite(site => seen.push(site))
  await expect.poll(() => seen).toEqual([{ origin: 'https://a.example' }])
  world.url = 'https://b.example/page'
  world.onActivated.fire({ tabId: 2 })
  await expect.poll(() => seen.at(-1)).toEqual({ origin: 'https://b.example' })
  world.url = 'https://c.example/'
  world.onUpdated.fire(2, { title: 'C' })
  world.onUpdated.fire(2, { status: 'loading' })
  await expect.poll(() => seen).toHaveLength(3)
  expect(seen.at(-1)).toEqual({ origin: 'https://c.example' })
  expect(world.acts.at(-1)).toEqual(['query', { active: true, currentWindow: true }])
  stop()
  expect([world.onActivated.listeners.size, world.onUpdated.listeners.size]).toEqual([0, 0])
})
