/**
 * The format of Web3 Secret Storage, version 3: one private key encrypted with a password of its own.
 * https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage/
 * The files are untrusted: the cost of the key derivation is limited before it starts.
 */
import { replaceInvisible } from '@heliograph/shared/pasted/plain'
import { hexToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { rpcError } from '../text/errors.ts'

/** Maximum characters of a file. A typical file has 500; some wallets add their own data. */
export const MAX_KEYSTORE_SIZE = 64 << 10
/** Maximum memory of scrypt in bytes: the costliest common file (n = 2^18, r = 8: 256 MiB) plus its working blocks. */
export const MAX_SCRYPT_MEMORY = 257 << 20
/** Maximum n · r · p: four times the costliest common file, which takes some seconds. */
const MAX_SCRYPT_WORK = 1 << 23
/** Maximum r · p, the work that scrypt does without a pause. A typical file has 8. */
const MAX_SCRYPT_WIDTH = 1 << 10
/** Maximum iterations of PBKDF2, which take some seconds. A typical file has 262144. */
export const MAX_PBKDF2_ROUNDS = 10_000_000

/** Length of the derived key that is used: half of it decrypts, the other half authenticates. */
export const DERIVED_BYTES = 32
const BLOCK_BYTES = 16
const MAC_BYTES = 32
export const KEY_BYTES = 32

const bytes = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^(?:0x)?(?:[0-9a-f]{2})*$/i),
    v.transform(text => hexToBytes(text.replace(/^0x/i, ''))),
    v.check(({ length }) => length >= least && length <= most),
  )
/** Accepts numbers in quotes, as some programs write them. */
const decimal = v.pipe(v.string(), v.regex(/^\s*\d{1,15}\s*$/), v.transform(Number))
const count = v.pipe(v.union([v.number(), decimal]), v.integer(), v.minValue(1))
/** Any sufficient length is accepted, because the first bytes of a derived key are the same for every length. */
const dklen = v.optional(v.pipe(count, v.minValue(DERIVED_BYTES)), DERIVED_BYTES)
/** Accepts a name in either case. */
const named = <const T extends string>(name: T) => v.pipe(v.string(), v.trim(), v.toLowerCase(), v.literal(name))
const salt = bytes(0, MAX_KEYSTORE_SIZE)

const common = {
  cipher: named('aes-128-ctr'),
  cipherparams: v.object({ iv: bytes(BLOCK_BYTES, BLOCK_BYTES) }),
  // Some programs drop a key's leading zeros, so the ciphertext may be shorter than a key.
  ciphertext: bytes(1, KEY_BYTES),
  mac: bytes(MAC_BYTES, MAC_BYTES),
}

const KeystoreSchema = v.object({
  version: v.picklist([3, '3']),
  crypto: v.variant('kdf', [
    v.object({
      ...common,
      kdf: v.literal('scrypt'),
      kdfparams: v.object({
        dklen,
        n: v.pipe(
          count,
          v.check(n => n > 1 && Number.isInteger(Math.log2(n))),
        ),
        r: count,
        p: count,
        salt,
      }),
    }),
    v.object({
      ...common,
      kdf: v.literal('pbkdf2'),
      /** HMAC-SHA-256 is the format's only `prf`, so it is the default if `prf` is missing. */
      kdfparams: v.object({ dklen, c: count, prf: v.optional(named('hmac-sha256'), 'hmac-sha256'), salt }),
    }),
  ]),
  /** The address, with 0x, without a prefix, or with XDC's prefix. A value of another type is ignored. */
  address: v.fallback(
    v.optional(
      v.pipe(
        v.string(),
        v.transform(text =>
          text
            .trim()
            .toLowerCase()
            .replace(/^(?:0x|xdc)/, ''),
        ),
        v.transform(digits => (digits === '' ? undefined : `0x${digits}`)),
      ),
    ),
    undefined,
  ),
})

export type Keystore = v.InferOutput<typeof KeystoreSchema>
export type KeystoreCrypto = Keystore['crypto']

/**
 * Lowercases property names, because `Crypto` is as common as `crypto`, and the name of the key derivation. Null
 * members count as missing.
 */
const withLowerNames = (name: string, value: unknown) => {
  if (typeof value === 'string') return name.toLowerCase() === 'kdf' ? value.trim().toLowerCase() : value
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name.toLowerCase(), member]])),
      )
    : value
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(replaceInvisible(text, '').trim(), withLowerNames)
  } catch {
    throw rpcError('invalidParams', 'keystoreNotJson')
  }
}

const assertBounds = (crypto: KeystoreCrypto) => {
  const tooCostly = rpcError('limitExceeded', 'keystoreTooCostly')
  if (crypto.kdf === 'pbkdf2') {
    if (crypto.kdfparams.c > MAX_PBKDF2_ROUNDS) throw tooCostly
    return
  }
  const { n, r, p } = crypto.kdfparams
  if (n * r * p > MAX_SCRYPT_WORK || r * p > MAX_SCRYPT_WIDTH || scryptMemory(n, r, p) > MAX_SCRYPT_MEMORY)
    throw tooCostly
}

/** Returns scrypt's memory in bytes: RFC 7914 §6, plus one working block. */
export const scryptMemory = (n: number, r: number, p: number): number => 128 * r * (n + p + 1)

/**
 * Parses a keystore. Throws -32602 with the path of the invalid field, or -32005 if the key derivation costs too much.
 */
export const parseKeystore = (text: string): Keystore => {
  if (text.length > MAX_KEYSTORE_SIZE) throw rpcError('limitExceeded', 'keystoreTooLong', { limit: MAX_KEYSTORE_SIZE })
  const parsed = v.safeParse(KeystoreSchema, parseJson(text))
  if (!parsed.success) {
    const place = v.getDotPath(parsed.issues[0]) ?? 'the file'
    throw rpcError('invalidParams', 'keystoreUnreadable', { place })
  }
  assertBounds(parsed.output.crypto)
  return parsed.output
}
