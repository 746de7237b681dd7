/**
 * A fake of the browser APIs that the wallet uses. It replaces `api.ts` with `vi.mock('./api.ts', () =>
 * import('./browser.fixture.ts'))`. Windows, tabs and ports are plain data; tests act as the user and the pages.
 */
type Listener<Values extends unknown[]> = (...values: Values) => unknown

const eventOf = <Values extends unknown[]>() => {
  const listeners: Listener<Values>[] = []
  return {
    addListener: (listener: Listener<Values>) => void listeners.push(listener),
    /** Removes the listeners of earlier tests. */
    clear: () => void listeners.splice(0),
    /** Resolves when every listener has finished. */
    fire: async (...values: Values) => {
      await Promise.all(listeners.map(listener => listener(...values)))
    },
  }
}

const areaOf = () => {
  let values: Record<string, unknown> = {}
  const levels: string[] = []
  return {
    /** Access levels set on the area, in order. */
    levels,
    setAccessLevel: async ({ accessLevel }: { accessLevel: string }) => void levels.push(accessLevel),
    get: async (name: string) => structuredClone(name in values ? { [name]: values[name] } : {}),
    set: async (changes: Record<string, unknown>) => {
      values = { ...values, ...structuredClone(changes) }
    },
    remove: async (name: string) => {
      const { [name]: _, ...others } = values
      values = others
    },
  }
}

export const ORIGIN = 'chrome-extension://heliograph'

type Sender = {
  id?: string
  url?: string
  origin?: string
  documentId?: string
  frameId?: number
  tab?: { id: number; url?: string }
}

/** Returns the background's end of a port. `fromPage` and `leave` simulate the page. */
export const portOf = (name: string, sender: Sender) => {
  const onMessage = eventOf<[unknown]>()
  const onDisconnect = eventOf<[]>()
  const posted: unknown[] = []
  return {
    name,
    sender,
    onMessage,
    onDisconnect,
    postMessage: (message: unknown) => void posted.push(structuredClone(message)),
    posted,
    fromPage: onMessage.fire,
    leave: onDisconnect.fire,
  }
}
export type TestPort = ReturnType<typeof portOf>

let nextId = 1
const gone = () => Promise.reject(new Error('No window with that id.'))
const open = new Map<number, { url: string; focused: number }>()
const tabs: { id: number; url: string; activated: number }[] = []
const sent: unknown[][] = []
const alarms: unknown[][] = []
type Script = { id: string; matches: string[] }
const scripts = new Map<string, Script>()
const clearedAlarms: string[] = []
const connected: string[] = []
const badges: string[] = []
const reloads: number[] = []
const onRemoved = eventOf<[number]>()

/** The state that tests inspect, and simulated actions. */
export const world = {
  windows: open,
  tabs,
  /** Messages sent to documents, and documents that no longer exist. */
  sent,
  goneDocuments: new Set<string>(),
  alarms,
  clearedAlarms,
  /** Registered scripts of single sites, by id. */
  scripts,
  /** Badge texts, in order. */
  badges,
  /** Names of opened ports. */
  connected,
  /** Times at which the extension reloaded itself, in order. */
  reloads,
  closeWindow: async (id: number) => {
    open.delete(id)
    await onRemoved.fire(id)
  },
}

const browser = {
  action: { setBadgeText: async ({ text }: { text: string }) => void badges.push(text) },
  runtime: {
    id: 'heliograph',
    getManifest: () => ({ version: '1.2.3' }),
    getURL: (path: string) => `${ORIGIN}/${path}`,
    onConnect: eventOf<[TestPort]>(),
    onInstalled: eventOf<[{ reason: string }]>(),
    onUpdateAvailable: eventOf<[{ version: string }]>(),
    getPlatformInfo: async () => ({ os: 'linux' }),
    reload: () => void reloads.push(Date.now()),
    connect: ({ name }: { name: string }) => {
      connected.push(name)
      return portOf(name, {})
    },
  },
  storage: { local: areaOf(), session: areaOf() },
  alarms: {
    onAlarm: eventOf<[{ name: string }]>(),
    create: (...alarm: unknown[]) => void alarms.push(alarm),
    clear: async (name: string) => {
      clearedAlarms.push(name)
      return true
    },
  },
  scripting: {
    getRegisteredContentScripts: async ({ ids }: { ids: string[] }) =>
      [...scripts.values()].filter(({ id }) => ids.includes(id)),
    registerContentScripts: async (added: Script[]) => {
      for (const script of added) {
        if (scripts.has(script.id)) throw new Error(`Duplicate script ID '${script.id}'`)
        scripts.set(script.id, script)
      }
    },
    unregisterContentScripts: async ({ ids }: { ids: string[] }) => {
      for (const id of ids) if (!scripts.delete(id)) throw new Error(`Nonexistent script ID '${id}'`)
    },
  },
  windows: {
    onRemoved,
    create: async ({ url }: { url: string }) => {
      const id = nextId++
      open.set(id, { url, focused: 1 })
      return { id }
    },
    get: async (id: number) => (open.has(id) ? { id } : gone()),
    update: async (id: number) => {
      const window = open.get(id)
      if (!window) return gone()
      window.focused++
      return { id }
    },
    /** Listeners are called asynchronously, as in a browser, without delaying the removal. */
    remove: async (id: number) => {
      if (!open.has(id)) return gone()
      void world.closeWindow(id)
    },
  },
  tabs: {
    query: async ({ url }: { url: string }) => [
      ...tabs.filter(tab => tab.url === url),
      ...[...open].filter(([, window]) => window.url === url).map(([id]) => ({ id, windowId: id })),
    ],
    create: async ({ url }: { url: string }) => {
      const tab = { id: nextId++, url, activated: 1 }
      tabs.push(tab)
      return tab
    },
    update: async (id: number) => {
      for (const tab of tabs) if (tab.id === id) tab.activated++
    },
    /** A window closes with its only tab. */
    remove: async (id: number) => {
      if (open.has(id)) void world.closeWindow(id)
    },
    sendMessage: async (tabId: number, message: unknown, { documentId }: { documentId: string }) => {
      if (world.goneDocuments.has(documentId)) throw new Error('Could not establish connection.')
      sent.push([tabId, documentId, message])
    },
  },
}

export default browser
