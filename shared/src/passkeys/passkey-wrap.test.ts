import { createHash, createPrivateKey, createPublicKey, diffieHellman, hkdfSync } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { passkeyPublicKey, unwrapWithPasskey, wrapForPasskey } from './passkey-wrap.ts'

const output = hexToBytes('11'.repeat(32))
const key = hexToBytes('22'.repeat(32))
const vault = { credentialId: 'AQIDBA', vaultId: '33'.repeat(16) }
const wrap = wrapForPasskey(key, passkeyPublicKey(output), vault)

/** The wrap of the values above in version 1. Stored wraps depend on it, so it never changes. */
const VECTOR = {
  version: 1,
  credentialId: 'AQIDBA',
  ephemeralKey: '68d9c9f2e1d311dd1602f6d78e2f035e622a81f50e6ec18bd2c83ce9deb65b6d',
  sealed: '850fb11a63d668e04e2115662c087e11a220c7a603e39f87f84e1568b6d25fa9270655a7f3272c45cd3e5347c6f9971d',
}

const PUBLIC_KEY = '0fdf55fd866f95b665d234586d5741dd0d61c611cfabc32ebaa012f398488933'

const derived = (secret: Uint8Array, salt: Uint8Array, use: string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, `heliograph passkey 1 ${use}`, length))

/** DER prefixes of X25519 keys (RFC 8410). */
const PRIVATE_DER = Buffer.from('302e020100300506032b656e04220420', 'hex')
const PUBLIC_DER = Buffer.from('302a300506032b656e032100', 'hex')
const privateKey = (bytes: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([PRIVATE_DER, bytes]), format: 'der', type: 'pkcs8' })
const publicKey = (bytes: Uint8Array) =>
  createPublicKey({ key: Buffer.concat([PUBLIC_DER, bytes]), format: 'der', type: 'spki' })

test('version 1 has these bytes', () => {
  expect(bytesToHex(passkeyPublicKey(output))).toBe(PUBLIC_KEY)
  expect(wrap).toEqual(VECTOR)
})

test('the keys of the vector follow from the documented steps with the cryptography of Node', () => {
  const own = privateKey(derived(output, Buffer.alloc(0), 'private key', 32))
  const ownPublic = createPublicKey(own).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_DER.length)
  expect(ownPublic.toString('hex')).toBe(PUBLIC_KEY)
  const ephemeral = Buffer.from(VECTOR.ephemeralKey, 'hex')
  const shared = diffieHellman({ privateKey: own, publicKey: publicKey(ephemeral) })
  const secret = derived(shared, Buffer.concat([ephemeral, ownPublic]), 'wrap', 56)
  const associated = utf8ToBytes(JSON.stringify(['heliograph passkey', 1, vault.credentialId, vault.vaultId]))
  const cipher = xchacha20poly1305(secret.subarray(0, 32), secret.subarray(32), associated)
  expect(bytesToHex(cipher.decrypt(hexToBytes(VECTOR.sealed)))).toBe('22'.repeat(32))
})

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })

test('every key is unwrapped with the same output, and with no other', () => {
  fc.assert(
    fc.property(bytes32, bytes32, bytes32, fc.base64String(), fc.string(), (some, secret, other, text, vaultId) => {
      const credentialId = text.replace(/=+$/, '')
      const wrapped = wrapForPasskey(secret, passkeyPublicKey(some), { credentialId, vaultId })
      expect(wrapForPasskey(secret, passkeyPublicKey(some), { credentialId, vaultId })).toEqual(wrapped)
      expect(unwrapWithPasskey(wrapped, some, vaultId)).toEqual(secret)
      fc.pre(bytesToHex(some) !== bytesToHex(other))
      expect(unwrapWithPasskey(wrapped, other, vaultId)).toBeNull()
    }),
    { numRuns: 30 },
  )
})

test('a wrap of another vault or of another credential does not open', () => {
  expect(unwrapWithPasskey(wrap, output, vault.vaultId)).toEqual(key)
  expect(unwrapWithPasskey(wrap, output, '44'.repeat(16))).toBeNull()
  expect(unwrapWithPasskey({ ...wrap, credentialId: 'AQIDBQ' }, output, vault.vaultId)).toBeNull()
})

test('a wrap with any digit changed, cut or added does not open', () => {
  const altered = (field: 'ephemeralKey' | 'sealed', change: (digits: string) => string) =>
    unwrapWithPasskey({ ...wrap, [field]: change(wrap[field]) }, output, vault.vaultId)
  for (const field of ['ephemeralKey', 'sealed'] as const) {
    for (let at = 0; at < wrap[field].length; at++) {
      // X25519 ignores the highest bit of a public key, but the salt has all bits.
      const flipped = (digits: string) =>
        digits.slice(0, at) + (Number.parseInt(digits[at] ?? '', 16) ^ 8).toString(16) + digits.slice(at + 1)
      expect(altered(field, flipped), `${field} ${at}`).toBeNull()
    }
    for (const change of [
      (digits: string) => digits.slice(2),
      (digits: string) => `${digits}00`,
      (digits: string) => digits.slice(1),
      () => '',
      () => 'no digits',
    ])
      expect(altered(field, change)).toBeNull()
  }
})

test('public keys of small order do not open', () => {
  for (const small of ['00'.repeat(32), `01${'00'.repeat(31)}`])
    expect(unwrapWithPasskey({ ...wrap, ephemeralKey: small }, output, vault.vaultId)).toBeNull()
})

test('a wrap contains neither the key nor the output', () => {
  const text = JSON.stringify(wrap)
  for (const secret of [key, output, createHash('sha256').update(output).digest()])
    expect(text).not.toContain(bytesToHex(secret))
})
