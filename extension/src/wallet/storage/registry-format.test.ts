import { expect, test } from 'vitest'
import { ADDRESS, connectedWallet, createdWallet, PASSWORD, PHRASE, SITE, startWallet } from '../wallet.fixture.ts'
import { FORMAT, FORMAT_RECORD, inFormat } from './registry.ts'
import { memoryStore, type Store } from './store.ts'

const newer = { format: FORMAT + 1, version: '9.8.7' }
const REFUSED = { code: 4100, reason: 'dataNewer', values: { version: '9.8.7' } }

/** Creates a store that counts its writes and removals. */
const counted = () => {
  const inner = memoryStore()
  const changes: string[] = []
  const store: Store = {
    get: inner.get,
    set: async (name, value) => {
      changes.push(name)
      await inner.set(name, value)
    },
    remove: async name => {
      changes.push(name)
      await inner.remove(name)
    },
  }
  return { store, changes }
}

test('data without a format record has format 1, and can be read and written', async () => {
  const { store, changes } = counted()
  await store.set('contacts', 'old')
  const formatted = inFormat(store, '1.0.0')
  expect([await formatted.isNewer(), await formatted.get('contacts')]).toEqual([false, 'old'])
  await formatted.set('contacts', 'new')
  expect(changes.slice(1)).toEqual([FORMAT_RECORD, 'contacts'])
})

test('data in a newer format is not read or changed, and the error names the version that wrote it', async () => {
  const { store, changes } = counted()
  await store.set(FORMAT_RECORD, newer)
  const formatted = inFormat(store, '1.0.0')
  expect(await formatted.isNewer()).toBe(true)
  for (const access of [formatted.get('vault'), formatted.set('vault', 1), formatted.remove('vault')])
    await expect(access).rejects.toMatchObject(REFUSED)
  expect(changes).toEqual([FORMAT_RECORD])
})

/** Creates a wallet whose data a newer version has written in a newer format, after a browser restart. */
const downgraded = async () => {
  const first = await connectedWallet()
  const { store: local, changes } = counted()
  for (const name of ['vault', 'vault-previous', 'settings']) await local.set(name, await first.store.local.get(name))
  await local.set(FORMAT_RECORD, newer)
  changes.length = 0
  return { local, changes, ...startWallet({ store: { local, session: memoryStore() } }) }
}

test('a wallet with data in a newer format refuses sites and pages, and changes nothing', async () => {
  const { wallet, ask, changes } = await downgraded()
  await wallet.resume()
  expect(await wallet.tend()).toBeNull()
  await expect(ask('eth_requestAccounts')).rejects.toMatchObject(REFUSED)
  await expect(ask('personal_sign', '0x00', ADDRESS)).rejects.toMatchObject(REFUSED)
  await expect(wallet.ui.getState(null)).rejects.toMatchObject(REFUSED)
  await expect(wallet.ui.unlock({ password: PASSWORD })).rejects.toMatchObject(REFUSED)
  await expect(wallet.ui.createVault({ password: PASSWORD, phrase: PHRASE })).rejects.toMatchObject(REFUSED)
  await expect(wallet.ui.removeWallet({ password: PASSWORD })).rejects.toThrow()
  expect(changes).toEqual([])
})

test('the version that knows the format can read the data again', async () => {
  const { local } = await downgraded()
  await local.set(FORMAT_RECORD, { ...newer, format: FORMAT })
  const { wallet } = startWallet({ store: { local, session: memoryStore() } })
  await wallet.ui.unlock({ password: PASSWORD })
  const { accounts, sites } = await wallet.ui.getState(null)
  expect([accounts[0]?.address, sites[0]?.origin]).toEqual([ADDRESS, SITE])
})

test('removing the wallet removes the format record', async () => {
  const { wallet, store } = await createdWallet()
  await wallet.ui.removeWallet({ password: PASSWORD })
  expect(await store.local.get(FORMAT_RECORD)).toBeUndefined()
})
