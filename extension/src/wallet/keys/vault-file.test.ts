import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHEAP_KDF } from '../wallet.fixture.ts'
import {
  deriveKey,
  isOutdated,
  newKdf,
  openVault,
  parseVaultFile,
  sealVault,
  VaultError,
  type VaultFile,
} from './vault-file.ts'

const reasonOf = (attempt: () => unknown) => {
  try {
    attempt()
  } catch (error) {
    if (error instanceof VaultError) return error.reason
    throw error
  }
  return 'opened'
}

const kdf = newKdf(CHEAP_KDF)
const key = await deriveKey('pass phrase', kdf)
const otherKey = await deriveKey('pass phrasE', kdf)

test('a sealed value can be decrypted only with its key', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const file = parseVaultFile(JSON.parse(JSON.stringify(sealVault(value, key, kdf))), CHEAP_KDF)
      expect(JSON.stringify(openVault(file, key))).toBe(JSON.stringify(value))
      expect(reasonOf(() => openVault(file, otherKey))).toEqual('wrongPassword')
    }),
    { numRuns: 50 },
  )
})

test('the key follows RFC 9106: the password in NFKC, the stored salt and cost', async () => {
  expect(await deriveKey('\u212b', kdf)).toEqual(await deriveKey('\u00c5', kdf))
  expect(await deriveKey('pass phrase', newKdf(CHEAP_KDF))).not.toEqual(key)
  expect(key).toHaveLength(32)
})

test('two files with the same value share neither nonce nor ciphertext', () => {
  const [one, other] = [sealVault('same', key, kdf), sealVault('same', key, kdf)]
  expect(one.nonce).not.toBe(other.nonce)
  expect(one.sealed).not.toBe(other.sealed)
})

const file = sealVault({ secret: 1 }, key, kdf)
const failureOf = (stored: unknown) => reasonOf(() => parseVaultFile(stored, CHEAP_KDF))

test('a damaged file and a wrong password are different errors', () => {
  const flipped = file.sealed.replace(/^./, digit => (digit === '0' ? '1' : '0'))
  const damaged: unknown[] = [
    { ...file, sealed: flipped },
    { ...file, sealed: `${file.sealed}00` },
    { ...file, kdf: { ...file.kdf, salt: '00' } },
    { ...file, length: file.length - 2 },
    { ...file, version: 0 },
    { ...file, version: '1' },
    { ...file, checksum: undefined },
    null,
    undefined,
    'text',
    7,
  ]
  for (const stored of damaged) expect(failureOf(stored), JSON.stringify(stored)).toEqual('vaultCorrupted')
})

test('a field with a wrong length is damage, even with a matching checksum', () => {
  const withChecksum = ({ kdf, nonce, length, sealed }: VaultFile) => {
    const summed = JSON.stringify([1, kdf, nonce, length, sealed])
    return { version: 1, kdf, nonce, length, sealed, checksum: bytesToHex(sha256(utf8ToBytes(summed))) }
  }
  expect(parseVaultFile(withChecksum(file), CHEAP_KDF)).toEqual(file)
  for (const [nonce, salt] of [
    [file.nonce.slice(2), file.kdf.salt],
    [`${file.nonce}00`, file.kdf.salt],
    [file.nonce, file.kdf.salt.slice(2)],
    [file.nonce, `${file.kdf.salt}00`],
  ] as const) {
    const altered = withChecksum({ ...file, nonce, kdf: { ...file.kdf, salt } })
    expect(failureOf(altered), `${nonce} ${salt}`).toEqual('vaultCorrupted')
  }
})

test('a truncated file and a damaged one are different errors, wherever the file was cut', () => {
  for (let end = 0; end < file.length; end++)
    expect(failureOf({ ...file, sealed: file.sealed.slice(0, end) })).toEqual('vaultTruncated')
  for (const name of Object.keys(file)) {
    const { [name as keyof typeof file]: _, ...rest } = file
    expect(failureOf(rest), name).toEqual('vaultTruncated')
  }
  expect(failureOf({})).toEqual('vaultTruncated')
})

test('a file of a newer version has its own error', () => {
  expect(failureOf({ ...file, version: 2 })).toEqual('vaultNewer')
  expect(failureOf({ version: 3, data: 'unknown' })).toEqual('vaultNewer')
})

test('a file with any bit flipped does not open', () => {
  const text = JSON.stringify(file)
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.integer({ min: 0, max: 6 }), (place, bit) => {
      const flipped = text.charCodeAt(place) ^ (1 << bit)
      let stored: unknown
      try {
        stored = JSON.parse(text.slice(0, place) + String.fromCharCode(flipped) + text.slice(place + 1))
      } catch {
        return
      }
      if (JSON.stringify(stored) === text) return
      expect(['vaultCorrupted', 'vaultTruncated', 'vaultNewer']).toContain(failureOf(stored))
    }),
  )
})

test('a derivation with less memory or fewer passes than the current cost is outdated', () => {
  const today = { memory: 64, passes: 3, lanes: 1 }
  expect(isOutdated(newKdf(today), today)).toBe(false)
  expect(isOutdated(newKdf({ ...today, memory: 128, passes: 4 }), today)).toBe(false)
  expect(isOutdated(newKdf({ ...today, memory: 63 }), today)).toBe(true)
  expect(isOutdated(newKdf({ ...today, passes: 2 }), today)).toBe(true)
})

test('the header is authenticated: changed parameters with a new checksum do not open', () => {
  const other = sealVault('value', key, { ...kdf, passes: 2 })
  expect(reasonOf(() => openVault({ ...file, kdf: other.kdf }, key))).toEqual('wrongPassword')
})

test('weakened and excessive derivation costs are rejected before the derivation', () => {
  for (const cost of [
    { memory: 19_455, passes: 3, lanes: 1 },
    { memory: 65_536, passes: 1, lanes: 1 },
    { memory: 1 << 30, passes: 3, lanes: 1 },
    { memory: 65_536, passes: 1_000_000, lanes: 1 },
  ]) {
    const file = sealVault('value', key, { ...kdf, ...cost })
    expect(reasonOf(() => parseVaultFile(file))).toEqual('vaultCost')
  }
})

test('the salt has 16 bytes and is new each time', () => {
  expect(hexToBytes(newKdf(CHEAP_KDF).salt)).toHaveLength(16)
  expect(newKdf(CHEAP_KDF).salt).not.toBe(newKdf(CHEAP_KDF).salt)
})
