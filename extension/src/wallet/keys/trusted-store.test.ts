import { expect, test, vi } from 'vitest'
import { MAX_OF_METHOD } from '../requests/gate.ts'
import { SEALED_FILES, SETTINGS } from '../storage/registry.ts'
import { createCell, memoryStore, type Stores } from '../storage/store.ts'
import {
  ADDRESS_LOWER,
  approve,
  CHEAP_KDF,
  commonPasswords,
  connectedWallet,
  createdWallet,
  DERIVATION,
  PASSWORD,
  type Person,
  PHRASE,
  SITE,
  startNode,
  startWallet,
  trustedOf,
  undecided,
} from '../wallet.fixture.ts'
import { secretsOf } from './keyring-changes.ts'
import { createTrustedStore } from './trusted-store.ts'
import { createVault } from './vault.ts'

const EVIL = 'https://evil.example'
const RPC_URL = 'http://127.0.0.1:8545'
const evilSite = { origin: EVIL, accounts: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'], since: 1 }

/** Returns the same disk after a browser restart. */
const reopened = ({ local }: Stores): Stores => ({ local, session: memoryStore() })

/** Creates a wallet with a connected site, a selected network, and a password prompt before every transaction. */
const furnished = async () => {
  const headless = await connectedWallet()
  await headless.wallet.ui.selectNetwork({ chainId: 8217 })
  await headless.wallet.ui.setSafety({ asksPassword: true })
  return headless
}

const visible = async (headless: { wallet: ReturnType<typeof startWallet>['wallet'] }) => {
  const { sites, chainId, safety, reset } = await headless.wallet.ui.getState(null)
  return { sites: sites.map(({ origin, accounts }) => [origin, accounts.length]), chainId, safety, reset }
}
const FURNISHED = {
  sites: [[SITE, 1]],
  chainId: 8217,
  safety: { asksPassword: true, allowsUnreadable: true, allowsForeignSignIn: false, readsOffchainNames: false },
  reset: [],
}

test('sites, networks and safety settings are not on disk in plain text', async () => {
  const { store } = await furnished()
  const shown = await Promise.all([...SETTINGS, ...SEALED_FILES, 'settings'].map(store.local.get))
  expect(shown.filter(value => value !== undefined).length).toBeGreaterThan(0)
  expect(JSON.stringify(shown)).not.toMatch(/site\.example|\b8217\b|asksPassword|f39fd6e5/i)
})

test('settings are available while the wallet is locked, even after the worker restarts', async () => {
  const { wallet, store } = await furnished()
  await wallet.ui.lock(null)
  const again = startWallet({ store })
  expect(await again.ask('eth_chainId')).toBe('0x2019')
  expect(await again.ask('eth_accounts')).toEqual([ADDRESS_LOWER])
})

test('after a browser restart, settings are unknown until the first unlock, which then notifies sites', async () => {
  const { store } = await furnished()
  const again = startWallet({ store: reopened(store), person: undecided })
  const { wallet, ask, events } = again
  expect(await ask('eth_accounts')).toEqual([])
  expect(await ask('eth_chainId')).toBe('0x7a69')
  await expect(ask('eth_getBalance', ADDRESS_LOWER, 'latest')).rejects.toMatchObject({ code: 4100 })
  expect((await wallet.ui.getState(null)).safety).toEqual({
    asksPassword: true,
    allowsUnreadable: false,
    allowsForeignSignIn: false,
    readsOffchainNames: false,
  })
  await expect(wallet.ui.selectNetwork({ chainId: 1 })).rejects.toMatchObject({ code: 4100 })
  await wallet.ui.unlock({ password: PASSWORD })
  expect(await visible(again)).toEqual(FURNISHED)
  expect(events).toContainEqual({ event: 'accountsChanged', origin: SITE, data: [ADDRESS_LOWER] })
  expect(events).toContainEqual({ event: 'chainChanged', except: [], data: '0x2019' })
})

test('a request made before the first unlock is reviewed after it, with the stored settings', async () => {
  const { store } = await connectedWallet()
  const again = startWallet({ store: reopened(store), chain: startNode().chain, person: approve })
  const answers = Promise.all([
    again.ask('eth_requestAccounts'),
    again.ask('personal_sign', '0x1234', ADDRESS_LOWER),
    again.ask('wallet_switchEthereumChain', { chainId: '0x2019' }),
    again.wallet.request(EVIL, { id: '1', method: 'personal_sign', params: ['0x', ADDRESS_LOWER] }).catch(e => e.code),
  ])
  await expect.poll(async () => (await again.wallet.ui.getState(null)).waiting).toHaveLength(4)
  expect((await again.wallet.ui.getState(null)).requests).toEqual([])
  await again.wallet.ui.unlock({ password: PASSWORD })
  expect(await answers).toEqual([[ADDRESS_LOWER], expect.stringMatching(/^0x[0-9a-f]{130}$/), null, 4100])
})

test("a blocked site's request made before the first unlock is rejected after it without being shown", async () => {
  const { store, wallet } = await connectedWallet()
  await wallet.ui.setSiteChoice({ origin: SITE, isBlocked: true })
  const seen: string[] = []
  const person: Person = request => {
    seen.push(request.origin)
    return approve(request)
  }
  const again = startWallet({ store: reopened(store), person })
  const answer = again.ask('personal_sign', '0x1234', ADDRESS_LOWER).catch(({ code, reason }) => [code, reason])
  await expect.poll(async () => (await again.wallet.ui.getState(null)).waiting).toHaveLength(1)
  await again.wallet.ui.unlock({ password: PASSWORD })
  expect(await answer).toEqual([4001, 'siteBlocked'])
  expect(seen).toEqual([])
})

test('a request made before the first unlock is rejected unseen if its site was muted in the meantime', async () => {
  const { store } = await connectedWallet()
  const again = startWallet({ store: reopened(store), person: undecided })
  const sign = () => again.ask('personal_sign', '0x1234', ADDRESS_LOWER).catch(({ code, reason }) => [code, reason])
  const answers = Promise.all(Array.from({ length: MAX_OF_METHOD + 1 }, sign))
  const waiting = async () => (await again.wallet.ui.getState(null)).waiting
  await expect.poll(waiting).toHaveLength(MAX_OF_METHOD + 1)
  for (const { id } of (await waiting()).slice(0, MAX_OF_METHOD))
    await again.wallet.ui.decide({ id, approve: false, revision: 0 })
  await again.wallet.ui.unlock({ password: PASSWORD })
  expect((await answers).at(-1)).toEqual([-32005, 'rejectedOften'])
})

test('the auto-lock minutes apply from the first unlock on', async () => {
  const { wallet, store } = await connectedWallet()
  await wallet.ui.setAutoLock({ minutes: 240 })
  const again = startWallet({ store: reopened(store), now: () => 0 })
  await again.wallet.used()
  await again.wallet.ui.unlock({ password: PASSWORD })
  expect(again.locks.at(-1)).toBe(240 * 60_000)
})

const plain = { sites: [evilSite], safety: { asksPassword: false, allowsUnreadable: true }, 'chain-id': 1 }

test.each<[string, (stores: Stores) => Promise<void>]>([
  ['deleted', ({ local }) => local.remove('settings')],
  ['emptied', ({ local }) => local.set('settings', {})],
  ['plain', ({ local }) => local.set('settings', plain)],
  [
    'sealed under another key',
    async ({ local }) => {
      const other = { local: memoryStore(), session: memoryStore() }
      await createdWallet({ store: other })
      await local.set('settings', await other.local.get('settings'))
    },
  ],
  ['another record', async ({ local }) => local.set('settings', await local.get('activity'))],
])('a settings record that is %s is ignored: safety is strict, and the user is told', async (_, alter) => {
  const { store } = await furnished()
  const before = await store.local.get('settings')
  await alter(store)
  const altered = await store.local.get('settings')
  const again = startWallet({ store: reopened(store) })
  await again.wallet.ui.unlock({ password: PASSWORD })
  const strict = {
    sites: [],
    chainId: 31337,
    safety: { asksPassword: true, allowsUnreadable: false, allowsForeignSignIn: false, readsOffchainNames: false },
  }
  expect(await visible(again)).toEqual({ ...strict, reset: ['settings'] })
  expect(await again.wallet.request(EVIL, { id: '1', method: 'eth_accounts' })).toEqual([])
  const aside = altered === undefined ? undefined : [{ name: 'settings', stored: altered }]
  expect(await store.local.get('unverified')).toEqual(aside)
  expect(before).not.toEqual(altered)
  await again.wallet.ui.dismissReset(null)
  expect((await visible(again)).reset).toEqual([])
})

test('a setting that cannot be stored does not take effect', async () => {
  const { wallet, store } = await connectedWallet()
  const before = await visible({ wallet })
  const full = vi.spyOn(store.local, 'set').mockRejectedValue(new Error('The disk is full'))
  await expect(wallet.ui.setSafety({ allowsForeignSignIn: true })).rejects.toThrow()
  await expect(wallet.ui.disconnectSite({ origin: SITE })).rejects.toThrow()
  full.mockRestore()
  expect(await visible({ wallet })).toEqual(before)
})

test('plain values that appear next to the sealed ones are ignored', async () => {
  const { store } = await furnished()
  for (const [name, value] of Object.entries(plain)) await store.local.set(name, value)
  for (const stores of [store, reopened(store)]) {
    const again = startWallet({ store: stores })
    if (stores !== store) await again.wallet.ui.unlock({ password: PASSWORD })
    expect(await visible(again)).toEqual(FURNISHED)
    expect(await again.wallet.request(EVIL, { id: '1', method: 'eth_accounts' })).toEqual([])
  }
})

test('a record that fails to decrypt is set aside and reported, and other records stay', async () => {
  const { store } = await furnished()
  await store.local.set('activity', [{ hash: '0x00' }])
  const again = startWallet({ store: reopened(store) })
  await again.wallet.ui.unlock({ password: PASSWORD })
  expect(await visible(again)).toEqual({ ...FURNISHED, reset: ['activity'] })
  expect(await store.local.get('unverified')).toEqual([{ name: 'activity', stored: [{ hash: '0x00' }] }])
})

test('plain values of an earlier version are adopted once, at the first unlock', async () => {
  const store: Stores = { local: memoryStore(), session: memoryStore() }
  await createVault(store, commonPasswords, CHEAP_KDF).create(PASSWORD, await secretsOf(DERIVATION))
  await store.local.set('sites', [{ ...evilSite, origin: SITE }])
  await store.local.set('chain-id', 8217)
  await store.local.set('rpc-urls', { 8217: RPC_URL })
  await store.local.set('assets', [{ chainId: 8217, address: evilSite.accounts[0], symbol: 'TOK', decimals: 6 }])
  const updated = reopened(store)
  const { wallet } = startWallet({ store: updated })
  expect(await wallet.request(SITE, { id: '1', method: 'eth_accounts' })).toEqual([])
  await wallet.ui.unlock({ password: PASSWORD })
  const state = await wallet.ui.getState(null)
  expect(state).toMatchObject({ sites: [{ origin: SITE }], chainId: 8217, assets: [{ symbol: 'TOK' }], reset: [] })
  expect(state.networks.find(({ chainId }) => chainId === 8217)?.rpcUrls).toEqual([RPC_URL])
  expect(await Promise.all(SETTINGS.map(store.local.get))).toEqual(SETTINGS.map(() => undefined))
  await store.local.set('sites', [evilSite])
  const again = startWallet({ store: reopened(store) })
  await again.wallet.ui.unlock({ password: PASSWORD })
  expect((await again.wallet.ui.getState(null)).sites).toMatchObject([{ origin: SITE }])
})

test('an adoption interrupted at any step is completed by the next one', async () => {
  let steps = 0
  for (let last = 1; last === 1 || steps >= last - 1; last++) {
    const store: Stores = { local: memoryStore(), session: memoryStore() }
    await createVault(store, commonPasswords, CHEAP_KDF).create(PASSWORD, await secretsOf(DERIVATION))
    await store.local.set('sites', [{ ...evilSite, origin: SITE }])
    await store.local.set('assets', ['kept'])
    steps = 0
    const step = async <T>(work: () => Promise<T>) => {
      if (++steps >= last) throw new Error('stopped')
      return work()
    }
    const stopping = {
      get: store.local.get,
      set: (name: string, value: unknown) => step(() => store.local.set(name, value)),
      remove: (name: string) => step(() => store.local.remove(name)),
    }
    await trustedOf({ ...store, local: stopping })
      .get('sites')
      .catch(() => undefined)
    const trusted = trustedOf(store)
    expect(await trusted.get('sites')).toMatchObject([{ origin: SITE }])
    expect(await trusted.get('assets')).toEqual(['kept'])
    expect(await trusted.get('reset')).toBeUndefined()
    expect(await store.local.get('sites')).toBeUndefined()
    if (steps < last) break
  }
  expect(steps).toBeGreaterThan(10)
})

test('settings chosen before a wallet exists are adopted, but values planted on disk are not', async () => {
  const store: Stores = { local: memoryStore(), session: memoryStore() }
  const { wallet } = startWallet({ store })
  await wallet.ui.selectNetwork({ chainId: 8217 })
  await store.local.set('sites', [evilSite])
  await store.local.set('settings', { sites: [evilSite] })
  await wallet.ui.createVault({ password: PASSWORD, phrase: PHRASE })
  expect(await wallet.ui.getState(null)).toMatchObject({ chainId: 8217, sites: [], reset: [] })
})

test('a changed password keeps the settings', async () => {
  const { wallet, store } = await furnished()
  await wallet.ui.changePassword({ password: PASSWORD, newPassword: 'another long sentence' })
  const again = startWallet({ store: reopened(store) })
  await again.wallet.ui.unlock({ password: 'another long sentence' })
  expect(await visible(again)).toEqual(FURNISHED)
})

test('values are cached after the first read, and concurrent updates are all applied', async () => {
  const { store } = await createdWallet()
  let reads = 0
  const counting = {
    ...store.local,
    get: async (name: string) => {
      reads++
      return store.local.get(name)
    },
  }
  const trusted = trustedOf({ ...store, local: counting })
  const cell = createCell<readonly number[]>(trusted, 'sites', [])
  await Promise.all([1, 2, 3].map(each => cell.update(all => [...all, each])))
  const before = reads
  expect(await cell.read()).toEqual([1, 2, 3])
  expect(reads).toBe(before)
})

test('a value read before the first unlock does not overwrite the stored value after it', async () => {
  const { store } = await furnished()
  const stores = reopened(store)
  const vault = createVault(stores, commonPasswords, CHEAP_KDF)
  const trusted = createTrustedStore(stores, vault)
  for (const name of ['sites', 'activity']) {
    await vault.lock()
    await stores.session.remove('settings-key')
    const early = createTrustedStore(stores, vault)
    const before = await early.get(name)
    await vault.unlock(PASSWORD)
    await expect(early.set(name, before ?? [])).rejects.toMatchObject({ code: 4100 })
  }
  expect(await createCell<readonly unknown[]>(trusted, 'sites', []).read()).toHaveLength(1)
})
