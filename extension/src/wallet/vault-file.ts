/**
 * The encrypted file that holds the wallet's secrets.
 * Key: Argon2id, RFC 9106. Cipher: XChaCha20-Poly1305, draft-irtf-cfrg-xchacha-03, with the header as associated data.
 */
import { errorCodes, RpcError } from '@heliograph/shared/errors'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { argon2idAsync } from '@noble/hashes/argon2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'

/** What one derivation costs: memory in KiB, passes over it, lanes. */
export type KdfCost = { memory: number; passes: number; lanes: number }

/** RFC 9106 §4, second recommendation, with one lane: lanes only cost time in JavaScript. */
export const KDF_COST: KdfCost = { memory: 65_536, passes: 3, lanes: 1 }
/** Below this a file was weakened; above it, it was made to hang the wallet. */
const KDF_FLOOR: KdfCost = { memory: 19_456, passes: 2, lanes: 1 }
const KDF_CEILING: KdfCost = { memory: 262_144, passes: 10, lanes: 4 }

const KEY_BYTES = 32
const SALT_BYTES = 16
const NONCE_BYTES = 24
/** The derivation gives way to other work this often, in ms. */
const KDF_SLICE = 20

const hex = v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{2})+$/))
const count = v.pipe(v.number(), v.integer(), v.minValue(1))

const VaultFileSchema = v.object({
  version: v.literal(1),
  kdf: v.object({ name: v.literal('argon2id'), memory: count, passes: count, lanes: count, salt: hex }),
  nonce: hex,
  sealed: hex,
  checksum: hex,
})

export type VaultFile = v.InferOutput<typeof VaultFileSchema>
export type Kdf = VaultFile['kdf']

/** Why a vault does not open. Nothing is overwritten in any of these cases. */
export class VaultError extends RpcError {
  override name = 'VaultError'

  constructor(reason: 'wrong-password' | 'corrupted' | 'unacceptable-cost', message: string) {
    super(errorCodes.unauthorized[0], message, { reason })
  }
}

const corrupted = () =>
  new VaultError('corrupted', 'The vault file is damaged. Nothing was changed. Restore the wallet from its phrase.')

/** A fresh salt with that cost. */
export const newKdf = (cost: KdfCost): Kdf => ({
  name: 'argon2id',
  memory: cost.memory,
  passes: cost.passes,
  lanes: cost.lanes,
  salt: bytesToHex(randomBytes(SALT_BYTES)),
})

/** Password to key, 32 bytes. Passwords are compared in Unicode NFKC, so that every keyboard gives the same key. */
export const deriveKey = (password: string, kdf: Kdf): Promise<Uint8Array> =>
  argon2idAsync(utf8ToBytes(password.normalize('NFKC')), hexToBytes(kdf.salt), {
    m: kdf.memory,
    t: kdf.passes,
    p: kdf.lanes,
    dkLen: KEY_BYTES,
    asyncTick: KDF_SLICE,
  })

const header = (kdf: Kdf) => utf8ToBytes(JSON.stringify(['heliograph vault', 1, kdf]))
const checksumOf = (file: Pick<VaultFile, 'kdf' | 'nonce' | 'sealed'>) =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify([file.kdf, file.nonce, file.sealed]))))

/** Encrypts any JSON value under a fresh nonce. */
export const sealVault = (value: unknown, key: Uint8Array, kdf: Kdf): VaultFile => {
  const nonce = randomBytes(NONCE_BYTES)
  const sealed = xchacha20poly1305(key, nonce, header(kdf)).encrypt(utf8ToBytes(JSON.stringify(value)))
  const parts = { kdf, nonce: bytesToHex(nonce), sealed: bytesToHex(sealed) }
  return { version: 1, ...parts, checksum: checksumOf(parts) }
}

/**
 * Reads what the store holds as a vault file.
 * `written` is the cost this wallet writes: a file is never refused for what the wallet itself would write.
 * Throws VaultError when the file is damaged or its cost is out of bounds.
 */
export const parseVaultFile = (stored: unknown, written: KdfCost = KDF_COST): VaultFile => {
  const parsed = v.safeParse(VaultFileSchema, stored)
  if (!parsed.success || checksumOf(parsed.output) !== parsed.output.checksum) throw corrupted()
  const { kdf } = parsed.output
  const costs = ['memory', 'passes', 'lanes'] as const
  if (costs.some(cost => kdf[cost] < Math.min(KDF_FLOOR[cost], written[cost]) || kdf[cost] > KDF_CEILING[cost]))
    throw new VaultError('unacceptable-cost', 'The vault asks for a key derivation that this wallet does not accept.')
  return parsed.output
}

/** Decrypts. The checksum was right, so a failure to authenticate means that the key is another one. */
export const openVault = (file: VaultFile, key: Uint8Array): unknown => {
  const cipher = xchacha20poly1305(key, hexToBytes(file.nonce), header(file.kdf))
  let plain: Uint8Array
  try {
    plain = cipher.decrypt(hexToBytes(file.sealed))
  } catch {
    throw new VaultError('wrong-password', 'That password is not right.')
  }
  return JSON.parse(new TextDecoder().decode(plain))
}
