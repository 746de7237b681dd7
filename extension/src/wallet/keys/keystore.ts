/**
 * One private key in and out of a keystore file: Web3 Secret Storage, version 3.
 * https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage/
 */
import { rpcError } from '@heliograph/shared/errors'
import { sameAddress } from '@heliograph/shared/evm/address'
import { addressOfKey } from '@heliograph/shared/evm/signature'
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { longWork } from '../long-work.ts'
import type { Progress } from '../tasks.ts'
import { DERIVED_BYTES, KEY_BYTES, type KeystoreCrypto, MAX_SCRYPT_MEMORY, parseKeystore } from './keystore-file.ts'

/** What the platform takes: memory that is shared with nobody, as all of ours. */
type Bytes = Uint8Array<ArrayBuffer>

/** Parameters of scrypt, RFC 7914. */
export type ScryptCost = { n: number; r: number; p: number }

/**
 * What a file of ours costs: the least of OWASP's Password Storage Cheat Sheet, 128 MiB. Twice that, as geth writes, is
 * much memory to ask of a browser's background. Every wallet reads both.
 */
export const KEYSTORE_COST: ScryptCost = { n: 1 << 17, r: 8, p: 1 }

const SALT_BYTES = 32
const IV_BYTES = 16
/** The derivation gives way to other work this often, in ms. */
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

/** PBKDF2 with HMAC-SHA-256, RFC 8018, of the platform. */
const pbkdf2Key = async (password: Bytes, salt: Bytes, iterations: number): Promise<Bytes> => {
  const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 8 * DERIVED_BYTES))
}

/** The first 32 bytes are the same whatever `dklen` a file asks for, and no more are used. */
const derive = ({ kdf, kdfparams }: KeystoreCrypto, password: Bytes, progress: Progress): Promise<Bytes> =>
  kdf === 'scrypt'
    ? scryptKey(password, kdfparams.salt, kdfparams, progress)
    : pbkdf2Key(password, kdfparams.salt, kdfparams.c)

const macOf = (derived: Bytes, ciphertext: Bytes): string =>
  bytesToHex(keccak_256(concatBytes(derived.subarray(16), ciphertext)))

/** AES-128 in counter mode, of the platform: it undoes what it did. */
const cipher = async (derived: Bytes, counter: Bytes, data: Bytes): Promise<Bytes> => {
  const key = await crypto.subtle.importKey('raw', derived.subarray(0, 16), 'AES-CTR', false, ['encrypt'])
  const algorithm = { name: 'AES-CTR', counter, length: 128 }
  return new Uint8Array(await crypto.subtle.encrypt(algorithm, key, data))
}

/** Runs `use` with the key that a password derives, and wipes both. */
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

/** The key, or null when the password is another one. */
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

/** The ways in which writers put a password into bytes: as it was typed, or in Unicode's NFKC. */
const spellings = (password: string): Set<string> => new Set([password, password.normalize('NFKC')])

/**
 * The private key of a keystore, 32 bytes, for the caller to wipe. Throws -32602 for what is no keystore, a wrong
 * password and an address that is not the key's, -32005 when the file costs too much to open, and what `progress` throws.
 */
export const openKeystore = async (text: string, password: string, progress: Progress): Promise<Bytes> => {
  const { crypto, address } = parseKeystore(text)
  for (const spelling of spellings(password)) {
    const key = await open(crypto, spelling, progress)
    if (!key) continue
    // A file may leave its address out, or write it without 0x.
    if (address && !sameAddress(addressOfKey(key), `0x${address.replace(/^0x/i, '')}`))
      throw rpcError('invalidParams', 'The key in the keystore is not the key of the address that the file names')
    return key
  }
  throw rpcError('invalidParams', 'The password of the keystore is not right, or the file is damaged')
}

/** A keystore of a private key, as JSON. Throws what `progress` throws. */
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
        address: addressOfKey(key).slice(2).toLowerCase(),
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

/** The name that other wallets give such a file. */
export const keystoreName = (address: string, now: number): string =>
  `UTC--${new Date(now).toISOString().replaceAll(':', '-')}--${address.slice(2).toLowerCase()}`
