import { readFileSync } from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import { createBrowserSettings } from './browser-settings.ts'
import { createNotifications } from './notifications.ts'

const HASH = `0x${'ab'.repeat(32)}` as const
const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

type Listener = (...values: never[]) => unknown

/** A fake browser whose permission for notifications the test grants, and its open tabs. */
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
    tabs: [] as { id: number; windowId: number }[],
    commands: [] as { name: string; shortcut?: string }[],
    opensShortcuts: false,
    onAdded: event(),
    onClicked: event(),
  }
})

vi.mock('./api.ts', () => {
  const texts = JSON.parse(readFileSync('extension/public/_locales/en/messages.json', 'utf8'))
  const act =
    (name: string) =>
    async (...given: unknown[]) =>
      void world.acts.push([name, ...given])
  return {
    default: new Proxy(
      {
        i18n: {
          getMessage: (key: string, values: string[] = []) =>
            String(texts[key].message).replace(/\$(\d)/g, (_, at) => values[Number(at) - 1] ?? ''),
        },
        permissions: {
          contains: async () => world.isAllowed,
          request: async (asked: unknown) => {
            world.acts.push(['request', asked])
            return world.isAllowed
          },
          onAdded: world.onAdded,
        },
        notifications: { create: act('create'), clear: act('clear'), onClicked: world.onClicked },
        commands: {
          getAll: async () => world.commands,
          get openShortcutSettings() {
            return world.opensShortcuts ? act('shortcuts') : undefined
          },
        },
        runtime: { getURL: (path: string) => `chrome-extension://heliograph/${path}` },
        tabs: { query: async () => world.tabs, create: act('create tab'), update: act('update tab') },
        windows: { update: act('update window') },
      },
      {
        // Without the permission, Firefox still has the name.
        get: (target, name) => (name === 'notifications' && !world.isAllowed ? undefined : Reflect.get(target, name)),
      },
    ),
  }
})

beforeEach(() => {
  world.acts.length = 0
  world.isAllowed = true
  world.tabs = []
  for (const event of [world.onAdded, world.onClicked]) event.listeners.length = 0
})

const created = () =>
  world.acts.flatMap(act => (Array.isArray(act) && act[0] === 'create' ? [act.slice(1)] : [])) as [string, object][]

test('a notification names the outcome, the short address and the network, or the site', async () => {
  const show = createNotifications(async () => undefined)
  await show({ kind: 'confirmed', hash: HASH, account: ACCOUNT, network: 'Ethereum' })
  await show({ kind: 'failed', hash: HASH, account: ACCOUNT, network: 'Kaia' })
  await show({ kind: 'waiting', site: 'https://app.example:8443' })
  await show({ kind: 'waiting', site: null })
  const icon = { type: 'basic', iconUrl: 'chrome-extension://heliograph/icons/icon-128.png' }
  expect(created()).toEqual([
    [HASH, { ...icon, title: 'Transaction confirmed', message: '0xf39F…2266 on Ethereum' }],
    [HASH, { ...icon, title: 'Transaction failed', message: '0xf39F…2266 on Kaia' }],
    ['waiting', { ...icon, title: 'A request is waiting', message: 'app.example:8443 waits for your decision.' }],
    ['waiting', { ...icon, title: 'A request is waiting', message: 'A remote app waits for your decision.' }],
  ])
})

test("a hostile network's name is on one line, without invisible characters, and cut; a long host keeps its end", async () => {
  const show = createNotifications(async () => undefined)
  await show({ kind: 'confirmed', hash: HASH, account: ACCOUNT, network: `Eth\u202e\u200bereum\n${'x'.repeat(500)}` })
  await show({ kind: 'waiting', site: `https://${'a'.repeat(300)}.evil.example` })
  const [[, network], [, site]] = created() as [[string, { message: string }], [string, { message: string }]]
  expect(network.message).toBe(`0xf39F…2266 on Ethereum ${'x'.repeat(31)}…`)
  expect(site.message).toMatch(/^…a+\.evil\.example waits/)
  expect(site.message.length).toBeLessThan(100)
})

test('without the permission nothing is shown, and once it is granted a press is heard', async () => {
  world.isAllowed = false
  const waiting = vi.fn(async () => undefined)
  const show = createNotifications(waiting)
  await show({ kind: 'waiting', site: null })
  expect([created(), world.onClicked.listeners]).toEqual([[], []])
  world.isAllowed = true
  world.onAdded.fire()
  world.onAdded.fire()
  world.onClicked.fire('waiting')
  await expect.poll(() => world.acts).toEqual([['clear', 'waiting']])
  expect(waiting).toHaveBeenCalledOnce()
})

test("pressing a transaction's notification opens its entry, in the wallet's tab if there is one", async () => {
  createNotifications(async () => undefined)
  const url = `chrome-extension://heliograph/panel.html#activity/${HASH}`
  world.onClicked.fire(HASH)
  await expect
    .poll(() => world.acts)
    .toEqual([
      ['create tab', { url }],
      ['clear', HASH],
    ])
  world.acts.length = 0
  world.tabs = [{ id: 3, windowId: 4 }]
  world.onClicked.fire(HASH)
  await expect
    .poll(() => world.acts)
    .toEqual([
      ['update tab', 3, { url, active: true }],
      ['update window', 4, { focused: true }],
      ['clear', HASH],
    ])
})

test('the settings read the commands of both manifests, and change them on the page of the browser', async () => {
  const settings = createBrowserSettings()
  world.commands = [{ name: '_execute_action', shortcut: 'Alt+Shift+H' }, { name: 'open-panel' }, { name: 'other' }]
  expect(await settings.shortcuts()).toEqual([
    { does: 'open', keys: 'Alt+Shift+H' },
    { does: 'panel', keys: '' },
  ])
  world.commands = [{ name: '_execute_sidebar_action', shortcut: 'Alt+Shift+J' }]
  expect(await settings.shortcuts()).toEqual([{ does: 'panel', keys: 'Alt+Shift+J' }])
  await settings.changeShortcuts()
  world.opensShortcuts = true
  await settings.changeShortcuts()
  expect(world.acts).toEqual([['create tab', { url: 'chrome://extensions/shortcuts' }], ['shortcuts']])
})

test('the settings ask for the permission with the call itself', () => {
  void createBrowserSettings().askToNotify()
  expect(world.acts).toEqual([['request', { permissions: ['notifications'] }]])
})
