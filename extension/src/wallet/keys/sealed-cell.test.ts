import { expect, test, vi } from 'vitest'
import { memoryStore } from '../store.ts'
import { CHEAP_KDF, DERIVATION, PASSWORD } from '../wallet.fixture.ts'
import { secretsOf } from './keyring-changes.ts'
import { createSealedCell } from './sealed-cell.ts'
import { createVault } from './vault.ts'

const SECRET = 'a word that nobody should read'

const start = async () => {
  const stores = { local: memoryStore(), session: memoryStore() }
  const vault = createVault(stores, CHEAP_KDF)
  await vault.create(PASSWORD, secretsOf(DERIVATION))
  const open = () => createSealedCell<string[]>({ store: stores.local, vault, name: 'notes', initial: () => [] })
  return { stores, vault, open }
}

test('a value outlives what wrote it, and the disk shows nothing of it', async () => {
  const { stores, open } = await start()
  await open().update(notes => [...notes, SECRET])
  expect(await open().read()).toEqual([SECRET])
  const stored = JSON.stringify(await stores.local.get('notes'))
  expect(stored).not.toContain(SECRET)
  expect(stored).not.toContain(Buffer.from(SECRET).toString('hex'))
})

test('while the wallet is locked it is not read, and not written', async () => {
  const { stores, vault, open } = await start()
  const cell = open()
  await cell.update(() => [SECRET])
  const before = await stores.local.get('notes')
  await vault.lock()
  expect(await cell.read()).toBeNull()
  await expect(cell.update(() => [])).rejects.toMatchObject({ code: 4100 })
  expect(await stores.local.get('notes')).toEqual(before)
  await vault.unlock(PASSWORD)
  expect(await cell.read()).toEqual([SECRET])
})

test('another password opens it as well: the vault changes its lock, not what is in it', async () => {
  const { vault, open } = await start()
  await open().update(() => [SECRET])
  await vault.changePassword(PASSWORD, 'another long password')
  expect(await open().read()).toEqual([SECRET])
})

test('the same value again is not written, and changes at once lose none', async () => {
  const { stores, open } = await start()
  const cell = open()
  expect(await cell.update(notes => notes)).toEqual([])
  expect(await stores.local.get('notes')).toBeUndefined()
  await Promise.all(['a', 'b', 'c'].map(note => cell.update(notes => [...notes, note])))
  expect(await cell.read()).toEqual(['a', 'b', 'c'])
})

test.each([
  ['altered', (file: { sealed: string }) => ({ ...file, sealed: `00${file.sealed.slice(2)}` })],
  ['cut', (file: { sealed: string }) => ({ ...file, sealed: file.sealed.slice(0, 20) })],
  ['of another form', () => ({ version: 2 })],
])('a file that was %s is as if it were not there', async (_, change) => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { stores, open } = await start()
  await open().update(() => [SECRET])
  const altered = change((await stores.local.get('notes')) as { sealed: string })
  await stores.local.set('notes', altered)
  expect(await open().read()).toEqual([])
  expect(errors).toHaveBeenCalled()
  expect(String(errors.mock.calls)).not.toContain(SECRET)
  errors.mockRestore()
})

test('a value of one name does not open under another', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { stores, vault, open } = await start()
  await open().update(() => [SECRET])
  await stores.local.set('others', await stores.local.get('notes'))
  const others = createSealedCell<string[]>({ store: stores.local, vault, name: 'others', initial: () => [] })
  expect(await others.read()).toEqual([])
  errors.mockRestore()
})
