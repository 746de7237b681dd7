import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  ADDRESS,
  connectedWallet,
  PASSWORD,
  SECOND,
  SITE,
  startNode,
  startWallet,
  trustedOf,
} from '../wallet.fixture.ts'
import { BROWSER_VALUES, eraseAll, REGISTRY, registered, SEALED_FILES, SETTINGS } from './registry.ts'
import { memoryStore, type Store, type Stores } from './store.ts'

/** Creates a memory store that exposes its names. */
const listed = (): Store & { values: Map<string, unknown> } => {
  const values = new Map<string, unknown>()
  const inner = memoryStore()
  return {
    values,
    get: inner.get,
    set: async (name, value) => {
      values.set(name, value)
      await inner.set(name, value)
    },
    remove: async name => {
      values.delete(name)
      await inner.remove(name)
    },
  }
}

const namesIn = ({ values }: ReturnType<typeof listed>) => [...values.keys()].toSorted()

/** Creates a wallet with data in every store that its pages and a site can fill. */
const filledWallet = async () => {
  const store = { local: listed(), session: listed() }
  const { chain } = startNode({ eth_chainId: () => '0x539' })
  const headless = await connectedWallet({ store, chain })
  const { wallet, ask } = headless
  const place = { chainId: 31337, address: ADDRESS }
  await ask('eth_sendTransaction', { from: ADDRESS, to: SECOND, value: '0x1' })
  await wallet.ui.saveContact({ address: SECOND, name: 'Mira' })
  await wallet.ui.addInterface({ name: 'Any', place: null, abi: '[{"type":"function","name":"f","inputs":[]}]' })
  await wallet.ui.showToken({ ...place, token: SECOND, symbol: 'TOK', decimals: 18 }).catch(() => undefined)
  await wallet.ui.getBalance(place)
  await wallet.ui.selectNetwork({ chainId: 1 })
  await wallet.ui.setSiteNetwork({ origin: SITE, chainId: 8217 })
  await wallet.ui.setSiteChoice({ origin: SITE, asMetaMask: true, asEthereum: false })
  await wallet.ui.setSafety({ allowsUnreadable: false })
  await wallet.ui.setAutoLock({ minutes: 5 })
  await wallet.ui.keepDraft({ form: 'send', draft: { to: SECOND } })
  await trustedOf(store).reset('bundles', ['not sealed'])
  return { ...headless, store }
}

test('removing the wallet leaves nothing in the browser', async () => {
  const { wallet, store, choices, locks } = await filledWallet()
  expect(namesIn(store.local)).toEqual(
    expect.arrayContaining(['activity', 'contacts', 'settings', 'unverified', 'vault']),
  )
  expect(namesIn(store.session)).toEqual(expect.arrayContaining(['drafts', 'lock-at', 'requests', 'settings-key']))
  await wallet.ui.removeWallet({ password: PASSWORD })
  expect({ local: namesIn(store.local), session: namesIn(store.session) }).toEqual({ local: [], session: [] })
  expect(choices.at(-1)).toEqual([])
  expect(locks.at(-1)).toBeNull()
  const state = await startWallet({ store }).wallet.ui.getState(null)
  expect(state).toMatchObject({ phase: 'empty', sites: [], activity: [], chainId: 31337, autoLockMinutes: 15 })
})

test('a new wallet contains no data from a removed one', async () => {
  const { wallet, store } = await filledWallet()
  await wallet.ui.removeWallet({ password: PASSWORD })
  await wallet.ui.createVault({ password: PASSWORD, phrase: await wallet.ui.newPhrase({ words: 12 }) })
  const state = await wallet.ui.getState(null)
  expect(state).toMatchObject({ sites: [], contacts: [], activity: [], reset: [], chainId: 31337 })
  expect(state.safety).toEqual({
    asksPassword: false,
    allowsUnreadable: true,
    allowsForeignSignIn: false,
    readsOffchainNames: false,
  })
  expect(namesIn(store.local)).not.toContain('unverified')
})

test('an interrupted removal is completed when the worker starts again', async () => {
  const { wallet, store } = await filledWallet()
  let removed = 0
  const stopping: Stores['local'] = {
    ...store.local,
    remove: async name => {
      if (++removed > 6) throw new Error('stopped')
      await store.local.remove(name)
    },
  }
  const stopped = startWallet({ store: { ...store, local: stopping } })
  await expect(stopped.wallet.ui.removeWallet({ password: PASSWORD })).rejects.toThrow('stopped')
  expect(namesIn(store.local).length).toBeGreaterThan(0)
  await startWallet({ store }).wallet.resume()
  expect({ local: namesIn(store.local), session: namesIn(store.session) }).toEqual({ local: [], session: [] })
  expect(await wallet.ui.getState(null)).toBeDefined()
})

test('a store that is not in the registry cannot be used', async () => {
  const { local, session } = registered({ local: memoryStore(), session: memoryStore() })
  await expect(local.set('mine', 1)).rejects.toThrow('not in the registry')
  await expect(session.get('vault')).rejects.toThrow('not in the registry')
  for (const name of [...REGISTRY.local, ...SETTINGS]) await local.set(name, 1)
  for (const name of REGISTRY.session) await session.set(name, 1)
  expect(new Set([...REGISTRY.local, ...SETTINGS]).size).toBe(REGISTRY.local.length + SETTINGS.length)
  expect(REGISTRY.local).toEqual(expect.arrayContaining([...SEALED_FILES]))
})

test('erasing clears every name in the registry, except for values about open tabs and windows', async () => {
  const stores = { local: listed(), session: listed() }
  for (const name of [...REGISTRY.local, ...SETTINGS]) await stores.local.set(name, 1)
  for (const name of [...REGISTRY.session, ...BROWSER_VALUES]) await stores.session.set(name, 1)
  await eraseAll(registered(stores))
  expect(namesIn(stores.local)).toEqual([])
  expect(namesIn(stores.session)).toEqual([...BROWSER_VALUES].toSorted())
})

const SOURCES = new URL('../../', import.meta.url)

test('every store in the source is in the registry', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  const sources = files.filter(file => /(?<!\.test|\.fixture)\.ts$/.test(file))
  const used = sources.flatMap(file => {
    const text = readFileSync(new URL(file, SOURCES), 'utf8')
    const cells = text.matchAll(/createCell(?:<[^()]*>)?\(\s*[\w.]+,\s*'([^']+)'/g)
    const sealed = text.matchAll(/createSealedCell(?:<\w+>)?\(\{[^}]*?name: '([^']+)'/g)
    return [...cells, ...sealed].map(([, name]) => name)
  })
  expect(used).toEqual(expect.arrayContaining(['requests', 'activity', 'sessions', 'pages']))
  const registry: readonly string[] = [...SETTINGS, ...REGISTRY.local, ...REGISTRY.session, ...BROWSER_VALUES]
  expect(used.filter(name => !registry.includes(String(name)))).toEqual([])
})
