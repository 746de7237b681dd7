import { expect, test } from 'vitest'
import {
  MAX_KEYSTORE_SIZE,
  MAX_PBKDF2_ROUNDS,
  MAX_SCRYPT_MEMORY,
  parseKeystore,
  scryptMemory,
} from './keystore-file.ts'

const common = {
  cipher: 'aes-128-ctr',
  cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
  ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
  mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
}
const salt = 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19'
const scrypt = { dklen: 32, n: 262144, r: 8, p: 1, salt }
const pbkdf2 = { dklen: 32, c: 262144, prf: 'hmac-sha256', salt }

const withScrypt = (change: object = {}) => ({ ...common, kdf: 'scrypt', kdfparams: { ...scrypt, ...change } })
const withPbkdf2 = (change: object = {}) => ({ ...common, kdf: 'pbkdf2', kdfparams: { ...pbkdf2, ...change } })
const file = (crypto: object, change: object = {}) => JSON.stringify({ version: 3, crypto, ...change })
const codeOf = (text: string) => {
  try {
    parseKeystore(text)
    return 0
  } catch (error) {
    return (error as { code: number }).code
  }
}

test('keystores are parsed with property names and hex digits in either case, with or without 0x', () => {
  const written = file(withScrypt())
  const parsed = parseKeystore(written)
  expect(parsed.crypto.kdfparams).toMatchObject({ n: 262144, r: 8, p: 1 })
  for (const other of [
    written.replace('"crypto"', '"Crypto"'),
    written.replace('"version":3', '"version":"3"'),
    written.replace(salt, salt.toUpperCase()),
    written.replace(salt, `0x${salt}`),
    `\n ${written}\n`,
  ])
    expect({ ...parseKeystore(other), version: 3 }).toEqual(parsed)
})

test('null members count as missing at every level', () => {
  const written = { version: 3, id: 'x', address: 'ab'.repeat(20), name: '', meta: '{}', crypto: withScrypt() }
  const parsed = parseKeystore(JSON.stringify(written))
  const optional = [{ id: null }, { name: null }, { meta: null }, { Crypto: null }, { 'x-ethers': null }]
  for (const change of optional) expect(parseKeystore(JSON.stringify({ ...written, ...change }))).toEqual(parsed)
  expect(parseKeystore(JSON.stringify({ ...written, address: null }))).toEqual({ ...parsed, address: undefined })
  expect(parseKeystore(JSON.stringify({ ...written, Crypto: written.crypto, crypto: null }))).toEqual(parsed)
  expect(parseKeystore(`\ufeff${JSON.stringify(written)}`)).toEqual(parsed)
  for (const [of, name] of [
    ['scrypt', 'n'],
    ['scrypt', 'salt'],
    ['pbkdf2', 'c'],
  ] as const) {
    const crypto = of === 'scrypt' ? withScrypt({ [name]: null }) : withPbkdf2({ [name]: null })
    expect(codeOf(file(crypto)), name).toBe(-32602)
  }
})

test('keystores are accepted in the spellings of other programs', () => {
  const names = { cipher: 'AES-128-CTR', mac: ` ${common.mac.toUpperCase()}\n` }
  const ofScrypt = parseKeystore(file(withScrypt()))
  const strings = { dklen: '32', n: '262144', r: '8', p: '1' }
  for (const crypto of [withScrypt(strings), withScrypt({ dklen: null }), { ...withScrypt(), ...names, kdf: 'Scrypt' }])
    expect(parseKeystore(file(crypto))).toEqual(ofScrypt)
  expect(parseKeystore(`\u200b${file(withScrypt())}\u200b`)).toEqual(ofScrypt)
  const ofPbkdf2 = parseKeystore(file(withPbkdf2()))
  for (const change of [{ c: '262144' }, { prf: null }, { prf: undefined }, { prf: 'HMAC-SHA256' }])
    expect(parseKeystore(file({ ...withPbkdf2(change), kdf: 'PBKDF2' }))).toEqual(ofPbkdf2)
  const address = `0x${'ab'.repeat(20)}`
  for (const spelled of [
    address,
    ` ${address.slice(2).toUpperCase()} `,
    `0X${address.slice(2)}`,
    `xdc${address.slice(2)}`,
  ])
    expect(parseKeystore(file(withScrypt(), { address: spelled })).address).toBe(address)
  for (const none of ['', '0x', null, 7, {}, []])
    expect(parseKeystore(file(withScrypt(), { address: none })).address).toBeUndefined()
  expect(codeOf(file(withPbkdf2({ c: String(MAX_PBKDF2_ROUNDS + 1) })))).toBe(-32005)
})

test('the costliest files that common wallets write are accepted', () => {
  for (const crypto of [withScrypt(), withScrypt({ n: 262144, r: 1, p: 8 }), withScrypt({ n: 8, p: 16 }), withPbkdf2()])
    expect(codeOf(file(crypto))).toBe(0)
})

test('a file that needs too much memory or time is rejected before the derivation', () => {
  for (const crypto of [
    withScrypt({ n: 2 ** 19 }),
    withScrypt({ n: 2 ** 52 }),
    withScrypt({ n: 2, r: 2 ** 20 }),
    withScrypt({ n: 2, p: 2 ** 20 }),
    withScrypt({ n: 2, r: 2 ** 30, p: 2 ** 30 }),
    withScrypt({ n: 2 ** 13, r: 32, p: 33 }),
    withScrypt({ n: 2 ** 18, r: 1, p: 33 }),
    withPbkdf2({ c: MAX_PBKDF2_ROUNDS + 1 }),
    withPbkdf2({ c: Number.MAX_SAFE_INTEGER }),
  ])
    expect(codeOf(file(crypto)), JSON.stringify(crypto.kdfparams)).toBe(-32005)
  expect(codeOf(file(withScrypt(), { note: 'x'.repeat(MAX_KEYSTORE_SIZE) }))).toBe(-32005)
  expect(scryptMemory(2 ** 18, 8, 1)).toBeLessThanOrEqual(MAX_SCRYPT_MEMORY)
})

test('an invalid keystore is rejected with the path of the invalid field', () => {
  const places = {
    version: file(withScrypt(), { version: 1 }),
    crypto: JSON.stringify({ version: 3 }),
    'crypto.cipher': file({ ...withScrypt(), cipher: 'aes-128-cbc' }),
    'crypto.cipherparams.iv': file({ ...withScrypt(), cipherparams: { iv: '00' } }),
    'crypto.ciphertext': file({ ...withScrypt(), ciphertext: `${common.ciphertext}00` }),
    'crypto.mac': file({ ...withScrypt(), mac: 'zz' }),
    'crypto.kdf': file({ ...withScrypt(), kdf: 'argon2id' }),
    'crypto.kdfparams.n': file(withScrypt({ n: 3 })),
    'crypto.kdfparams.r': file(withScrypt({ r: 0 })),
    'crypto.kdfparams.p': file(withScrypt({ p: 1.5 })),
    'crypto.kdfparams.dklen': file(withScrypt({ dklen: 16 })),
    'crypto.kdfparams.salt': file(withScrypt({ salt: 'abc' })),
    'crypto.kdfparams.c': file(withPbkdf2({ c: '0x40000' })),
    'crypto.kdfparams.prf': file(withPbkdf2({ prf: 'hmac-sha512' })),
  }
  for (const [place, text] of Object.entries(places))
    expect(() => parseKeystore(text), place).toThrow(
      expect.objectContaining({ code: -32602, message: expect.stringMatching(new RegExp(`check ${place}$`)) }),
    )
  for (const text of ['', 'no JSON', '{"version":3', 'null', '[]', '7', '"text"', '{"encseed":"00","ethaddr":"00"}'])
    expect(codeOf(text), text).toBe(-32602)
})

test('errors contain nothing from the file', () => {
  const secret = 'c0ffee'.repeat(4)
  expect(() => parseKeystore(file({ ...withScrypt(), mac: secret }))).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining(secret) }),
  )
})
