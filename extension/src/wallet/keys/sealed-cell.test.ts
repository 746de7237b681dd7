import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { CHEAP_KDF, commonPasswords, DERIVATION, PASSWORD } from '../wallet.fixture.ts'
import { secretsOf } from './keyring-changes.ts'
import { trustedInMemory } from './sealed-cell.fixture.ts'
import { createSealedCell, type Sealing } from './sealed-cell.ts'
import { setAside } from './unverified.ts'
import { createVault } from './vault.ts'

const SECRET = 'a word that must stay secret'

const start = async () => {
  const stores = { local: memoryStore(), session: memoryStore() }
  const vault = createVault(stores, commonPasswords, CHEAP_KDF)
  await vault.create(PASSWORD, await secretsOf(DERIVATION))
  const told: string[] = []
  const trusted: Sealing['trusted'] = {
    ...trustedInMemory(),
    reset: async (name, stored) => {
      if (stored !== undefined) await setAside(stores.local, name, stored)
      told.push(name)
    },
  }
  const open = (name = 'notes') =>
    createSealedCell<string[]>({ store: stores.local, vault, trusted, name, initial: () => [] })
  return { stores, vault, open, told }
}

test('a value survives a restart, and is not on disk in plain text', async () => {
  const { stores, open } = await start()
  await open().update(notes => [...notes, SECRET])
  expect(await open().read()).toEqual([SECRET])
  const stored = JSON.stringify(await stores.local.get('notes'))
  expect(stored).not.toContain(SECRET)
  expect(stored).not.toContain(Buffer.from(SECRET).toString('hex'))
})

test('while the wallet is locked, the value is neither read nor written', async () => {
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

test('the value stays readable after a password change', async () => {
  const { vault, open } = await start()
  await open().update(() => [SECRET])
  await vault.changePassword(PASSWORD, 'another long password')
  expect(await open().read()).toEqual([SECRET])
})

test('an identical value is not written, and concurrent updates are all applied', async () => {
  const { stores, open } = await start()
  const cell = open()
  expect(await cell.update(notes => notes)).toEqual([])
  expect(await stores.local.get('notes')).toBeUndefined()
  await Promise.all(['a', 'b', 'c'].map(note => cell.update(notes => [...notes, note])))
  expect(await cell.read()).toEqual(['a', 'b', 'c'])
})

type File = { version: number; nonce: string; sealed: string }
const flipped = (text: string, at: number) => `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`

test.each<[string, (file: File) => unknown]>([
  ['altered', file => ({ ...file, sealed: flipped(file.sealed, 5) })],
  ['cut', file => ({ ...file, sealed: file.sealed.slice(0, 20) })],
  ['shorter than its tag', file => ({ ...file, sealed: 'AAAA' })],
  ['not base64', file => ({ ...file, sealed: '\u2028' })],
  ['given a short nonce', file => ({ ...file, nonce: file.nonce.slice(2) })],
  ['given half a byte more', file => ({ ...file, nonce: `${file.nonce}0` })],
  ['given another nonce', file => ({ ...file, nonce: '00'.repeat(24) })],
  ['of an older form', file => ({ ...file, version: 1 })],
  ['of an unknown form', () => ({ version: 3 })],
  ['plain', () => [SECRET]],
])('a file that was %s is set aside and never overwritten', async (_, change) => {
  const { stores, open, told } = await start()
  await open().update(() => ['mine'])
  const altered = change((await stores.local.get('notes')) as File)
  await stores.local.set('notes', altered)
  expect(await open().read()).toEqual([])
  await open().update(() => ['new'])
  expect(await open().read()).toEqual(['new'])
  expect(await stores.local.get('unverified')).toEqual([{ name: 'notes', stored: altered }])
  expect(told).toEqual(['notes'])
})

type Cell = ReturnType<Awaited<ReturnType<typeof start>>['open']>

test.each<[string, (cell: Cell) => Promise<unknown>]>([
  ['read', cell => cell.read()],
  ['changed', cell => cell.update(notes => notes)],
])('a file that was deleted, or replaced by an older version, is refused when the value is %s', async (_, use) => {
  const { stores, open, told } = await start()
  await open().update(() => ['old'])
  const older = await stores.local.get('notes')
  await open().update(() => ['new'])
  await stores.local.set('notes', older)
  expect(await use(open())).toEqual([])
  await stores.local.remove('notes')
  expect(await use(open())).toEqual([])
  expect(told).toEqual(['notes', 'notes'])
})

test('a value cannot be decrypted under another name', async () => {
  const { stores, open, told } = await start()
  await open().update(() => [SECRET])
  await stores.local.set('others', await stores.local.get('notes'))
  expect(await open('others').read()).toEqual([])
  expect(told).toEqual(['others'])
})

test('a value that an earlier version sealed in hex is decrypted', async () => {
  const { stores, vault, open } = await start()
  const stateKey = '07'.repeat(32)
  await vault.update(secrets => ({ ...secrets, stateKey }))
  const nonce = '01'.repeat(24)
  const cipher = xchacha20poly1305(hexToBytes(stateKey), hexToBytes(nonce), utf8ToBytes('heliograph notes'))
  const sealed = bytesToHex(cipher.encrypt(utf8ToBytes(JSON.stringify(['old']))))
  await stores.local.set('notes', { version: 1, nonce, sealed })
  expect(await open().read()).toEqual(['old'])
  expect(await stores.local.get('notes')).toMatchObject({ version: 3, revision: 1 })
  expect(await open().read()).toEqual(['old'])
  await stores.local.set('notes', { version: 1, nonce, sealed })
  expect(await open().read()).toEqual([])
})
