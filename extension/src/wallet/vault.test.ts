import { expect, test } from 'vitest'
import { secretsOf, withNextAccount } from './keyring.ts'
import { memoryStore } from './store.ts'
import { createVault } from './vault.ts'
import { CHEAP_KDF, PASSWORD, PHRASE } from './wallet.fixture.ts'

const secrets = secretsOf(PHRASE)

const created = async () => {
  const stores = { local: memoryStore(), session: memoryStore() }
  const vault = createVault(stores, CHEAP_KDF)
  await vault.create(PASSWORD, secrets)
  return { stores, vault }
}

test('a vault is empty, then unlocked, then locked, then unlocked again', async () => {
  const stores = { local: memoryStore(), session: memoryStore() }
  const vault = createVault(stores, CHEAP_KDF)
  expect(await vault.phase()).toBe('empty')
  await vault.create(PASSWORD, secrets)
  expect(await vault.phase()).toBe('unlocked')
  await vault.lock()
  expect(await vault.phase()).toBe('locked')
  await expect(vault.read()).rejects.toMatchObject({ code: 4100 })
  await vault.unlock(PASSWORD)
  expect(await vault.read()).toEqual(secrets)
})

test('a wrong password changes nothing', async () => {
  const { stores, vault } = await created()
  await vault.lock()
  const before = await stores.local.get('vault')
  await expect(vault.unlock('wrong')).rejects.toMatchObject({ data: { reason: 'wrong-password' } })
  expect(await vault.phase()).toBe('locked')
  expect(await stores.local.get('vault')).toEqual(before)
})

test('an unlocked vault survives a restart of the worker, and a lock holds after one', async () => {
  const { stores, vault } = await created()
  expect(await createVault(stores, CHEAP_KDF).read()).toEqual(secrets)
  await vault.lock()
  expect(await createVault(stores, CHEAP_KDF).phase()).toBe('locked')
})

test('no word of the phrase and no part of the password stands in what is stored', async () => {
  const { stores } = await created()
  const stored = JSON.stringify([await stores.local.get('vault'), await stores.session.get('vault-key')])
  for (const secret of ['junk', 'test', PASSWORD]) expect(stored).not.toContain(secret)
})

test('a second vault is not written over the first', async () => {
  const { vault } = await created()
  await expect(vault.create('another password', secrets)).rejects.toMatchObject({ code: -32600 })
  expect(await vault.read()).toEqual(secrets)
})

test('a short password is refused', async () => {
  const vault = createVault({ local: memoryStore(), session: memoryStore() }, CHEAP_KDF)
  await expect(vault.create('1234567', secrets)).rejects.toMatchObject({ code: -32602 })
  expect(await vault.phase()).toBe('empty')
})

test('updates at the same time all count, and the file before the last is kept', async () => {
  const { stores, vault } = await created()
  await Promise.all(['b', 'c', 'd'].map(name => vault.update(now => withNextAccount(now, name))))
  expect((await vault.read()).keyrings[0]?.accounts.map(({ name }) => name)).toEqual(['Account 1', 'b', 'c', 'd'])
  expect(await stores.local.get('vault-previous')).toBeDefined()
})
