import { createPublicKey, verify } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decodeDidKey } from '../../wire/did-key.ts'
import { openSigningKey } from './signing-key.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signing-key-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('creates the key once, readable by its owner only', async () => {
  const { did, publicKey } = openSigningKey(folder)
  expect(Buffer.from(decodeDidKey(did)).toString('hex')).toBe(publicKey)
  expect(await readdir(folder)).toEqual(['signing-key.pem'])
  expect((await stat(join(folder, 'signing-key.pem'))).mode & 0o777).toBe(0o600)
  expect(openSigningKey(folder).did).toBe(did)
})

test('signatures verify with the public key', () => {
  const { publicKey, sign } = openSigningKey(folder)
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const bytes = Buffer.from('é')
  expect(verify(undefined, bytes, key, sign(bytes))).toBe(true)
  expect(verify(undefined, Buffer.from('e'), key, sign(bytes))).toBe(false)
})

test('ignores a temporary file left by a crash', async () => {
  await writeFile(join(folder, 'signing-key.pem.draft'), 'half a k')
  const { did } = openSigningKey(folder)
  expect(openSigningKey(folder).did).toBe(did)
})

test('the error names an invalid key file, which is left unchanged', async () => {
  const path = join(folder, 'signing-key.pem')
  await writeFile(path, 'no key')
  expect(() => openSigningKey(folder)).toThrow(`the key ${path} cannot be used: `)
  expect((await stat(path)).size).toBe(6)
})
