import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { userData } from '../../other-wallets/exports.fixture.ts'
import { deriveKey, newKdf, openVault, sealVault } from '../keys/vault-file.ts'
import { CHEAP_KDF } from '../wallet.fixture.ts'
import { backupName, MAX_BACKUP, MAX_ITEMS, openBackupFile, parseBackup, sealBackup } from './backup-file.ts'

const PASSWORD = 'a password of the file'
const BACKUP = {
  wallet: '1.2.3',
  savedAt: 1_700_000_000_000,
  sections: [{ name: 'contacts', items: [{ id: '0x01', value: { name: 'Zoë 漢字 😀' } }] }],
}

let file: string
beforeAll(async () => {
  file = await sealBackup(BACKUP, PASSWORD, CHEAP_KDF)
})

const open = (text: string, password = PASSWORD) => openBackupFile(text, password, CHEAP_KDF)
const reasonOf = (text: string, password = PASSWORD): Promise<string> =>
  open(text, password).then(
    () => 'opened',
    error => error.reason,
  )

/** Seals any contents as a file would be sealed. */
const sealed = async (contents: unknown): Promise<string> => {
  const kdf = newKdf(CHEAP_KDF)
  const key = await deriveKey(PASSWORD, kdf)
  return JSON.stringify({ heliograph: 'backup', version: 1, sealed: sealVault(contents, key, kdf, 'backup') })
}
/** Returns the file with other members, outside or inside `sealed`. Undefined removes a member. */
const changed = (outside: object, inside: object = {}): string => {
  const parsed = JSON.parse(file)
  return JSON.stringify({ ...parsed, ...outside, sealed: { ...parsed.sealed, ...inside } })
}

test('a file opens with its password, also with white space, a byte order mark and another spelling of the password', async () => {
  expect(await open(file)).toMatchObject(BACKUP)
  expect(await open(`\ufeff${JSON.stringify(JSON.parse(file), null, 2)}\n`)).toMatchObject(BACKUP)
  const accented = await sealBackup(BACKUP, 'pa\u0308ssword of it', CHEAP_KDF)
  expect(await open(accented, 'p\u00e4ssword of it')).toMatchObject(BACKUP)
})

test('a file shows neither its contents nor their size in clear text', () => {
  expect(file).not.toContain('contacts')
  expect(Object.keys(JSON.parse(file))).toEqual(['heliograph', 'version', 'sealed'])
})

test('a wrong password is told apart from a damaged file', async () => {
  expect(await reasonOf(file, 'another password')).toBe('backupPassword')
  expect(await reasonOf(file, '')).toBe('backupPassword')
})

test('a file that was cut anywhere is incomplete or foreign, never opened', async () => {
  const start = '{"heliograph":"backup"'.length
  for (const length of [start, start + 1, file.length >> 1, file.length - 1])
    expect(await reasonOf(file.slice(0, length)), String(length)).toBe('backupTruncated')
  expect(await reasonOf(file.slice(0, 5))).toBe('backupForeign')
  const { sealed: inner } = JSON.parse(file)
  expect(await reasonOf(changed({}, { sealed: inner.sealed.slice(0, -10) }))).toBe('backupTruncated')
})

test('a changed character anywhere is noticed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(file.length - 1), fc.constantFrom('0', 'f', ' ', '"'), async (at, character) => {
      if (file[at] === character) return
      expect(await reasonOf(`${file.slice(0, at)}${character}${file.slice(at + 1)}`)).not.toBe('opened')
    }),
    { numRuns: 200 },
  )
  const parts = ['nonce', 'sealed', 'checksum', 'kdf', 'length']
  for (const part of parts) expect(await reasonOf(changed({}, { [part]: undefined })), part).toBe('backupTruncated')
  expect(await reasonOf(changed({}, { nonce: '00'.repeat(24) }))).toBe('backupChanged')
  expect(await reasonOf(changed({ version: -1 }))).toBe('backupChanged')
})

test('a file of another program is foreign', async () => {
  const others = ['', ' ', '{}', '[]', 'null', '1', '"backup"', 'test test junk', '<html></html>', '\u0000\u0001PK']
  for (const other of [...others, JSON.stringify(userData), JSON.stringify({ version: 3, crypto: {} })])
    expect(await reasonOf(other), other.slice(0, 20)).toBe('backupForeign')
  expect(await reasonOf(JSON.stringify({ heliograph: 'vault', version: 1, sealed: {} }))).toBe('backupForeign')
})

test('a file of a newer version is refused before its password is asked, and by the version under its seal', async () => {
  const newer = changed({ version: 2 })
  expect(() => parseBackup(newer, CHEAP_KDF)).toThrow(expect.objectContaining({ reason: 'backupNewer' }))
  expect(await reasonOf(await sealed({ ...BACKUP, version: 2 }))).toBe('backupNewer')
  expect(await reasonOf(changed({}, { version: 2 }))).toBe('backupNewer')
})

test('a file with a weakened or an endless key derivation is refused', async () => {
  const kdf = { memory: 1 << 30, passes: 1, lanes: 1 }
  const costly = JSON.stringify({
    heliograph: 'backup',
    version: 1,
    sealed: sealVault({}, new Uint8Array(32), newKdf(kdf), 'backup'),
  })
  expect(await reasonOf(costly)).toBe('backupCost')
  expect(() => parseBackup(file, { memory: 65_536, passes: 3, lanes: 1 })).toThrow(
    expect.objectContaining({ reason: 'backupCost' }),
  )
})

test('a file that is too large, or has too many items, is refused', async () => {
  expect(await reasonOf(' '.repeat(MAX_BACKUP + 1))).toBe('backupTooLarge')
  const items = Array.from({ length: MAX_ITEMS + 1 }, () => 0)
  expect(await reasonOf(await sealed({ version: 1, sections: [{ name: 'contacts', items }] }))).toBe('backupTooMany')
})

test('contents that no backup has count as changed, and odd sections as one unreadable item each', async () => {
  for (const contents of [null, 1, 'text', [], {}, { version: '1' }, { version: 1, sections: 'none' }])
    expect(await reasonOf(await sealed(contents)), JSON.stringify(contents)).toBe('backupChanged')
  expect(await open(await sealed({ version: 1, wallet: null, sections: null }))).toMatchObject({ sections: [] })
  const odd = [null, { name: 'contacts' }, { name: 1, items: [] }]
  const { sections } = await open(await sealed({ version: 1, sections: odd }))
  expect(sections.map(({ name, items }) => [name, items.length])).toEqual([
    ['', 1],
    ['', 1],
    ['', 1],
  ])
})

test('a backup does not open as a vault, nor a vault as a backup', async () => {
  const kdf = newKdf(CHEAP_KDF)
  const key = await deriveKey(PASSWORD, kdf)
  expect(() => openVault(sealVault({}, key, kdf, 'backup'), key)).toThrow()
  const vault = sealVault({ ...BACKUP, version: 1 }, key, kdf)
  expect(await reasonOf(JSON.stringify({ heliograph: 'backup', version: 1, sealed: vault }))).toBe('backupPassword')
})

test('the name of a file has the day', () => {
  expect(backupName(1_700_000_000_000)).toBe('heliograph-backup-2023-11-14.json')
})
