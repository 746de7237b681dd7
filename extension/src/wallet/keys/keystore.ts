/**
 * Encrypts a private key to a keystore file, and decrypts it: Web3 Secret Storage, version 3.
 * https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage/
 */
import { sameAddress } from '@heliograph/shared/evm/address'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { rpcError } from '../text/errors.ts'
import { longWork } from '../work/long-work.ts'
import type { Progress } from '../work/tasks.ts'
import { DERIVED_BYTES, KEY_BYTES, type KeystoreCrypto, MAX_SCRYPT_MEMORY, parseKeystore } from './keystore-file.ts'

/** Bytes outside shared memory: Web Crypto does not accept a SharedArrayBuffer. */
type Bytes = Uint8Array<ArrayBuffer>

/** Parameters of scrypt (RFC 7914). */
export type ScryptCost = { n: number; r: number; p: number }

/**
 * Cost for files that the wallet writes: the minimum in OWASP's Password Storage Cheat Sheet, 128 MiB. Geth's default
 * needs twice as much memory, which is a lot for an extension's background. Other wallets read files with either cost.
 */
export const KEYSTORE_COST: ScryptCost = { n: 1 << 17, r: 8, p: 1 }

const SALT_BYTES = 32
const IV_BYTES = 16
/** Interval in ms between pauses of the derivation, during which other work runs. */
const KDF_SLICE = 20

const scryptKey = (password: Bytes, salt: Bytes, { n, r, p }: ScryptCost, progress: Progress) =>
  longWork(() =>
    scryptAsync(password, salt, {
      N: n,
      r,
      p,
      dkLen: DERIVED_BYTES,
      maxmem: MAX_SCRYPT_MEMORY,
      asyncTick: KDF_SLICE,
      onProgress: progress,
    }),
  )

/** Derives a key with the platform's PBKDF2 with HMAC-SHA-256 (RFC 8018). */
const pbkdf2Key = async (password: Bytes, salt: Bytes, iterations: number): Promise<Bytes> => {
  const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 8 * DERIVED_BYTES))
}

/** Derives 32 bytes. A larger `dklen` would only append bytes that the format does not use. */
const derive = ({ kdf, kdfparams }: KeystoreCrypto, password: Bytes, progress: Progress): Promise<Bytes> =>
  kdf === 'scrypt'
    ? scryptKey(password, kdfparams.salt, kdfparams, progress)
    : pbkdf2Key(password, kdfparams.salt, kdfparams.c)

const macOf = (derived: Bytes, ciphertext: Bytes): string =>
  bytesToHex(keccak_256(concatBytes(derived.subarray(16), ciphertext)))

/** Encrypts or decrypts, which is the same operation, with the platform's AES-128-CTR. */
const cipher = async (derived: Bytes, counter: Bytes, data: Bytes): Promise<Bytes> => {
  const key = await crypto.subtle.importKey('raw', derived.subarray(0, 16), 'AES-CTR', false, ['encrypt'])
  const algorithm = { name: 'AES-CTR', counter, length: 128 }
  return new Uint8Array(await crypto.subtle.encrypt(algorithm, key, data))
}

/** Calls `use` with the key derived from a password. Then wipes the password's bytes and the key. */
const withDerived = async <T>(
  password: string,
  deriveKey: (password: Bytes) => Promise<Bytes>,
  use: (derived: Bytes) => Promise<T>,
): Promise<T> => {
  const bytes = utf8ToBytes(password)
  const derived = await deriveKey(bytes).finally(() => bytes.fill(0))
  try {
    return await use(derived)
  } finally {
    derived.fill(0)
  }
}

/** Decrypts the private key. Null if the password is wrong. */
const open = (kept: KeystoreCrypto, password: string, progress: Progress): Promise<Bytes | null> =>
  withDerived(
    password,
    bytes => derive(kept, bytes, progress),
    async derived => {
      if (macOf(derived, kept.ciphertext) !== bytesToHex(kept.mac)) return null
      const plain = await cipher(derived, kept.cipherparams.iv, kept.ciphertext)
      const key = new Uint8Array(KEY_BYTES)
      key.set(plain, KEY_BYTES - plain.length)
      plain.fill(0)
      return key
    },
  )

/** Returns the encodings of a password that wallets use: as typed, and normalized to NFKC. */
const spellings = (password: string): Set<string> => new Set([password, password.normalize('NFKC')])

/**
 * Decrypts a keystore to a private key, 32 bytes, which the caller wipes. Throws -32602 if the file is invalid, the
 * password is wrong or the address belongs to another key; -32005 if the key derivation costs too much; and any error
 * thrown by `progress`.
 */
export const openKeystore = async (text: string, password: string, progress: Progress): Promise<Bytes> => {
  const { crypto, address } = parseKeystore(text)
  for (const spelling of spellings(password)) {
    const key = await open(crypto, spelling, progress)
    if (!key) continue
    if (address !== undefined && !sameAddress(addressOfPrivateKey(key), address))
      throw rpcError('invalidParams', 'keystoreOtherKey')
    return key
  }
  throw rpcError('invalidParams', 'wrongKeystorePassword')
}

/** Encrypts a private key to a keystore in JSON. Throws any error thrown by `progress`. */
export const makeKeystore = (
  key: Uint8Array,
  password: string,
  cost: ScryptCost,
  progress: Progress,
): Promise<string> => {
  const salt = randomBytes(SALT_BYTES)
  const iv = randomBytes(IV_BYTES)
  return withDerived(
    password,
    bytes => scryptKey(bytes, salt, cost, progress),
    async derived => {
      const ciphertext = await cipher(derived, iv, key as Bytes)
      const { n, r, p } = cost
      return JSON.stringify({
        version: 3,
        id: crypto.randomUUID(),
        address: addressOfPrivateKey(key).slice(2).toLowerCase(),
        crypto: {
          cipher: 'aes-128-ctr',
          cipherparams: { iv: bytesToHex(iv) },
          ciphertext: bytesToHex(ciphertext),
          kdf: 'scrypt',
          kdfparams: { dklen: DERIVED_BYTES, n, r, p, salt: bytesToHex(salt) },
          mac: macOf(derived, ciphertext),
        },
      })
    },
  )
}

/** Returns the file name that geth and other wallets use. */
export const keystoreName = (address: string, now: number): string =>
  `UTC--${new Date(now).toISOString().replaceAll(':', '-')}--${address.slice(2).toLowerCase()}`
