import { encodeData } from '@heliograph/shared/evm/hex'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { decryptKeystoreJsonSync, encryptKeystoreJsonSync, Wallet } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ADDRESS, CHEAP_KEYSTORE } from '../wallet.fixture.ts'
import { KEYSTORE_COST, keystoreName, makeKeystore, openKeystore } from './keystore.ts'

const quiet = () => {}
const anyKey = fc.noShrink(fc.constant(null)).map(() => secp256k1.utils.randomSecretKey())
const anyPassword = fc.string({ unit: 'grapheme', maxLength: 20 })
const key = new Uint8Array(32).fill(7)
const make = (password: string) => makeKeystore(key, password, CHEAP_KEYSTORE, quiet)

test('files that the wallet writes are decrypted only with their password, by the wallet and by ethers', async () => {
  await fc.assert(
    fc.asyncProperty(anyKey, anyPassword, async (own, password) => {
      const text = await makeKeystore(own, password, CHEAP_KEYSTORE, quiet)
      expect(await openKeystore(text, password, quiet)).toEqual(own)
      expect(decryptKeystoreJsonSync(text, new TextEncoder().encode(password)).privateKey).toBe(encodeData(own))
      await expect(openKeystore(text, `${password}x`, quiet)).rejects.toMatchObject({ code: -32602 })
    }),
    { numRuns: 30 },
  )
})

test('files written by ethers are decrypted, with any characters in the password', async () => {
  await fc.assert(
    fc.asyncProperty(anyKey, anyPassword, async (own, password) => {
      const account = { address: addressOfPrivateKey(own), privateKey: encodeData(own) }
      const text = encryptKeystoreJsonSync(account, password, { scrypt: { N: 2, r: 8, p: 1 } })
      expect(await openKeystore(text, password, quiet)).toEqual(own)
    }),
    { numRuns: 30 },
  )
})

test('two files of the same key share no salt, iv or id', async () => {
  const [one, other] = (await Promise.all([make('x'), make('x')])).map(text => JSON.parse(text))
  expect(one.id).not.toBe(other.id)
  expect(one.crypto.cipherparams.iv).not.toBe(other.crypto.cipherparams.iv)
  expect(one.crypto.kdfparams.salt).not.toBe(other.crypto.kdfparams.salt)
})

test('a file with the default cost is decrypted, and the derivation reports progress', async () => {
  const told: number[] = []
  const text = await makeKeystore(key, 'pass phrase', KEYSTORE_COST, done => void told.push(done))
  expect(JSON.parse(text)).toMatchObject({
    version: 3,
    address: addressOfPrivateKey(key).slice(2).toLowerCase(),
    crypto: { kdf: 'scrypt', kdfparams: { n: 131072, r: 8, p: 1, dklen: 32 } },
  })
  expect(told.at(-1)).toBe(1)
  expect(told).toEqual(told.toSorted((one, other) => one - other))
  expect(await openKeystore(text, 'pass phrase', quiet)).toEqual(key)
})

test('other work runs during a derivation', async () => {
  let turns = 0
  let isDone = false
  const deriving = makeKeystore(key, 'pass phrase', KEYSTORE_COST, quiet).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise(resolve => setImmediate(resolve))
    turns++
  }
  await deriving
  expect(turns).toBeGreaterThan(5)
})

test('a cancelled derivation stops', async () => {
  const stop = (done: number) => {
    if (done > 0.1) throw new Error(`stopped at ${done.toFixed(1)}`)
  }
  await expect(makeKeystore(key, 'x', KEYSTORE_COST, stop)).rejects.toThrow('stopped at 0.1')
})

test('a file whose address is missing, null or correct is decrypted', async () => {
  const { address, ...text } = JSON.parse(await make('x'))
  for (const written of [null, undefined, '', address, address.toUpperCase(), `0x${address}`, `xdc${address}`])
    expect(await openKeystore(JSON.stringify({ ...text, address: written }), 'x', quiet)).toEqual(key)
  for (const written of [ADDRESS, ADDRESS.slice(2), `xdc${ADDRESS.slice(2)}`])
    await expect(openKeystore(JSON.stringify({ ...text, address: written }), 'x', quiet)).rejects.toMatchObject({
      reason: 'keystoreOtherKey',
    })
})

test("a damaged file, or one whose address is not its key's, is rejected", async () => {
  const text = await make('x')
  const other = text.replace(addressOfPrivateKey(key).slice(2).toLowerCase(), ADDRESS.slice(2).toLowerCase())
  await expect(openKeystore(other, 'x', quiet)).rejects.toThrow('does not belong to the address')
  const { crypto } = JSON.parse(text)
  const flipped = crypto.ciphertext.replace(/^./, (digit: string) => (digit === '0' ? '1' : '0'))
  await expect(openKeystore(text.replace(crypto.ciphertext, flipped), 'x', quiet)).rejects.toThrow(
    'or the file is damaged',
  )
})

test('file names have the same format as in geth', () => {
  const wallet = Wallet.createRandom()
  expect(keystoreName(wallet.address, Date.UTC(2016, 2, 22, 12, 57, 55, 920))).toBe(
    `UTC--2016-03-22T12-57-55.920Z--${wallet.address.slice(2).toLowerCase()}`,
  )
})
