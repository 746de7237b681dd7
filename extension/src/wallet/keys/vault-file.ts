/**
 * The wallet's secrets, the migration of their older versions, and the encrypted file that holds them.
 * Key: Argon2id (RFC 9106). Cipher: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03), with the header as associated
 * data.
 */
import { RpcError } from '@heliograph/shared/errors'
import type { Address } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { PasskeyWrap } from '@heliograph/shared/passkeys/passkey-wrap'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { argon2idAsync } from '@noble/hashes/argon2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { rpcError } from '../text/errors.ts'
import { longWork } from '../work/long-work.ts'
import { ACCOUNTS_PATH, type Derivation } from './derivation.ts'
import { type Passkey, parseWraps } from './passkey-wraps.ts'

/** A phrase and its accounts' path. `id` is random and reveals nothing about the phrase. */
export type Phrase = Derivation & { id: string }

/** Source of an account's key. For a watch-only account, the wallet has no key. */
export type KeySource =
  | { kind: 'phrase'; phraseId: string; index: number }
  | { kind: 'privateKey'; privateKey: Hex }
  | { kind: 'watchOnly' }

export type Account = { name: string; address: Address; hidden: boolean; source: KeySource }

/** Accounts are in the user's order: a new one comes last, until the user moves it. */
export type Secrets = {
  version: 2
  phrases: readonly Phrase[]
  accounts: readonly Account[]
  /** Key that encrypts sealed cells, 32 bytes in hex. Created on first use. */
  stateKey?: string
  /**
   * Key that encrypts the settings, 32 bytes in hex. `adopts` is set until the first settings are sealed, and says
   * where to read them: the session, if they were chosen before there was a wallet, or an earlier version's plain text.
   */
  settings?: { key: string; adopts?: 'early' | 'plain' }
  passkeys?: readonly Passkey[]
}

/** Version 1: phrases, each with accounts on the default path. */
type SecretsV1 = {
  version: 1
  keyrings: readonly { phrase: string; accounts: readonly { name: string; address: Address; index: number }[] }[]
}

export const SECRETS_VERSION = 2

const fromV1 = ({ keyrings }: SecretsV1): Secrets => {
  const withIds = keyrings.map((keyring, place) => ({ ...keyring, id: String(place) }))
  return {
    version: 2,
    phrases: withIds.map(({ id, phrase }) => ({ id, phrase, passphrase: '', path: ACCOUNTS_PATH })),
    accounts: withIds.flatMap(({ id, accounts }) =>
      accounts.map(({ name, address, index }) => ({
        name,
        address,
        hidden: false,
        source: { kind: 'phrase' as const, phraseId: id, index },
      })),
    ),
  }
}

/**
 * Migrates decrypted contents to the current version. Checks only the version, because decryption has authenticated the
 * contents.
 */
export const migrateSecrets = (sealed: { version: number }): Secrets =>
  sealed.version === 1 ? fromV1(sealed as SecretsV1) : (sealed as Secrets)

/** Cost of a derivation: memory in KiB, passes, lanes. */
export type KdfCost = { memory: number; passes: number; lanes: number }

/** Second recommendation in RFC 9106 §4, but with one lane: more lanes only cost time in JavaScript. */
export const KDF_COST: KdfCost = { memory: 65_536, passes: 3, lanes: 1 }
/** Bounds of accepted costs. A lower cost has been weakened by someone; a higher cost would hang the wallet. */
const KDF_FLOOR: KdfCost = { memory: 19_456, passes: 2, lanes: 1 }
const KDF_CEILING: KdfCost = { memory: 262_144, passes: 10, lanes: 4 }

const FILE_VERSION = 1
const KEY_BYTES = 32
const SALT_BYTES = 16
const NONCE_BYTES = 24
/** Interval in ms between pauses of the derivation, during which other work runs. */
const KDF_SLICE = 20

/** Minimum length of `sealed`: Poly1305 appends a 16-byte tag. */
const TAG_BYTES = 16
const CHECKSUM_BYTES = 32

const hex = v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{2})+$/))
const hexOf = (bytes: number) => v.pipe(hex, v.length(2 * bytes))
const count = v.pipe(v.number(), v.integer(), v.minValue(1))

const VaultFileSchema = v.object({
  version: v.literal(FILE_VERSION),
  kdf: v.object({ name: v.literal('argon2id'), memory: count, passes: count, lanes: count, salt: hexOf(SALT_BYTES) }),
  nonce: hexOf(NONCE_BYTES),
  /** Number of hex digits of `sealed`. Detects truncated files. */
  length: count,
  sealed: v.pipe(hex, v.minLength(2 * TAG_BYTES)),
  checksum: hexOf(CHECKSUM_BYTES),
})

/**
 * `passkeys` are wraps of the key that decrypts `sealed`. The checksum does not cover them: a damaged wrap must not keep
 * the password from opening the file.
 */
export type VaultFile = v.InferOutput<typeof VaultFileSchema> & { passkeys?: readonly PasskeyWrap[] }
export type Kdf = VaultFile['kdf']

export type VaultFailure = 'wrongPassword' | 'vaultTruncated' | 'vaultCorrupted' | 'vaultNewer' | 'vaultCost'

/** Why a vault cannot be opened. The file stays unchanged in each of these cases. */
export class VaultError extends RpcError {
  override name = 'VaultError'
  declare readonly reason: VaultFailure

  constructor(reason: VaultFailure) {
    super(rpcError('unauthorized', reason))
  }
}

/** Returns parameters with this cost and a new salt. */
export const newKdf = (cost: KdfCost): Kdf => ({
  name: 'argon2id',
  memory: cost.memory,
  passes: cost.passes,
  lanes: cost.lanes,
  salt: bytesToHex(randomBytes(SALT_BYTES)),
})

/** True if a derivation is cheaper than `today`'s cost, and thus easier to brute-force. */
export const isOutdated = (kdf: Kdf, today: KdfCost): boolean => kdf.memory < today.memory || kdf.passes < today.passes

/** Derives a 32-byte key. The password is normalized to NFKC, so every keyboard gives the same key. */
export const deriveKey = async (password: string, kdf: Kdf): Promise<Uint8Array> => {
  const bytes = utf8ToBytes(password.normalize('NFKC'))
  try {
    return await longWork(() =>
      argon2idAsync(bytes, hexToBytes(kdf.salt), {
        m: kdf.memory,
        t: kdf.passes,
        p: kdf.lanes,
        dkLen: KEY_BYTES,
        asyncTick: KDF_SLICE,
      }),
    )
  } finally {
    bytes.fill(0)
  }
}

/** What a sealed file is. It is associated data, so that none can pass for the other. */
export type Purpose = 'vault' | 'backup'

const header = (purpose: Purpose, kdf: Kdf) => utf8ToBytes(JSON.stringify([`heliograph ${purpose}`, FILE_VERSION, kdf]))
const checksumOf = ({ kdf, nonce, length, sealed }: Omit<VaultFile, 'version' | 'checksum' | 'passkeys'>) =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify([FILE_VERSION, kdf, nonce, length, sealed]))))

/** Encrypts any JSON value with a new nonce. */
export const sealVault = (value: unknown, key: Uint8Array, kdf: Kdf, purpose: Purpose = 'vault'): VaultFile => {
  const nonce = randomBytes(NONCE_BYTES)
  const plain = utf8ToBytes(JSON.stringify(value))
  const sealed = bytesToHex(xchacha20poly1305(key, nonce, header(purpose, kdf)).encrypt(plain))
  plain.fill(0)
  const parts = { kdf, nonce: bytesToHex(nonce), length: sealed.length, sealed }
  return { version: FILE_VERSION, ...parts, checksum: checksumOf(parts) }
}

/** Classifies an invalid file. */
const failureOf = (stored: unknown): VaultFailure => {
  if (typeof stored !== 'object' || stored === null) return 'vaultCorrupted'
  const { version, length, sealed } = stored as Partial<Record<string, unknown>>
  if (Number(version) > FILE_VERSION) return 'vaultNewer'
  const isShort = typeof sealed === 'string' && sealed.length < Number(length)
  return isShort || Object.keys(VaultFileSchema.entries).some(name => !(name in stored))
    ? 'vaultTruncated'
    : 'vaultCorrupted'
}

/**
 * Parses a stored vault file. `written` is the cost that this wallet writes, which is always accepted. Throws
 * VaultError if the file is truncated, corrupted, or from a newer version, or if its cost is out of bounds.
 */
export const parseVaultFile = (stored: unknown, written: KdfCost = KDF_COST): VaultFile => {
  const parsed = v.safeParse(VaultFileSchema, stored)
  if (!parsed.success || checksumOf(parsed.output) !== parsed.output.checksum) throw new VaultError(failureOf(stored))
  const { kdf } = parsed.output
  const costs = ['memory', 'passes', 'lanes'] as const
  if (costs.some(cost => kdf[cost] < Math.min(KDF_FLOOR[cost], written[cost]) || kdf[cost] > KDF_CEILING[cost]))
    throw new VaultError('vaultCost')
  const passkeys = parseWraps((stored as Partial<VaultFile>).passkeys)
  return passkeys.length === 0 ? parsed.output : { ...parsed.output, passkeys }
}

/**
 * Decrypts the file. Its checksum was verified before, so an authentication failure means that the password is wrong.
 */
export const openVault = (file: VaultFile, key: Uint8Array, purpose: Purpose = 'vault'): unknown => {
  const cipher = xchacha20poly1305(key, hexToBytes(file.nonce), header(purpose, file.kdf))
  let plain: Uint8Array
  try {
    plain = cipher.decrypt(hexToBytes(file.sealed))
  } catch {
    throw new VaultError('wrongPassword')
  }
  const value: unknown = JSON.parse(new TextDecoder().decode(plain))
  plain.fill(0)
  return value
}
