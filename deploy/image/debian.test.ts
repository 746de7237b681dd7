import { expect, test } from 'vitest'
import { requireSha256 } from './debian.ts'
import { distribution } from './distribution.ts'

test('a package with another hash is refused; the error has both hashes and the file with the expected hash', () => {
  const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  const wanted = { title: 'name=1', table: 'table.ts' }
  expect(() => requireSha256(wanted, Buffer.from('abc'), sha256)).not.toThrow()
  expect(() => requireSha256(wanted, Buffer.from('abd'), sha256)).toThrow(
    /^name=1 has the SHA-256 a52d159f.{56}, but table\.ts expects ba7816bf/,
  )
})

test('each package of the table has a version and two different hashes', () => {
  for (const { name, version, sha256 } of distribution) {
    expect(version, name).toMatch(/^\d/)
    const hashes = Object.values(sha256)
    expect(hashes, name).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)])
    expect(new Set(hashes).size, name).toBe(2)
  }
})
