/**
 * Encrypts stored values with a key in the vault: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03). A value's name and
 * revision are associated data, so values cannot be swapped on disk, and an older value cannot pass for a newer one.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import type { Stores } from '../storage/store.ts'
import { report } from '../text/errors.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 24

const content = {
  nonce: v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${2 * NONCE_BYTES}}$`))),
  /** Hex in version 1. Base64, which is shorter, since version 2. */
  sealed: v.string(),
}

const SealedSchema = v.variant('version', [
  v.object({ version: v.literal(1), ...content }),
  v.object({ version: v.literal(2), ...content }),
  v.object({ version: v.literal(3), revision: v.pipe(v.number(), v.safeInteger(), v.minValue(1)), ...content }),
])

type Sealed = v.InferOutput<typeof SealedSchema>

/** Bytes per call of `String.fromCharCode`: a call's number of arguments is limited. */
const CHUNK = 8_192

/** Base64 (RFC 4648 §4) with the platform's `btoa` and `atob`. */
const toBase64 = (bytes: Uint8Array): string => {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)))
  return btoa(parts.join(''))
}

/** Throws DOMException if the text is not base64. */
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), character => character.charCodeAt(0))

/** Returns a new key, 32 bytes in hex. */
export const newSealingKey = (): string => bytesToHex(randomBytes(KEY_BYTES))

/** Creates the cipher. `label` is the name, followed by the revision if there is one. */
const cipherOf = (key: string, label: string, nonce: Uint8Array) =>
  xchacha20poly1305(hexToBytes(key), nonce, utf8ToBytes(`heliograph ${label}`))

/**
 * Encrypts a JSON value. `key` is 32 bytes in hex, and `revision` the number of times that the value was written,
 * including this one.
 */
export const seal = (key: string, name: string, value: unknown, revision: number): Sealed => {
  const nonce = randomBytes(NONCE_BYTES)
  const sealed = cipherOf(key, `${name} ${revision}`, nonce).encrypt(utf8ToBytes(JSON.stringify(value)))
  return { version: 3, revision, nonce: bytesToHex(nonce), sealed: toBase64(sealed) }
}

/** A decrypted value. Its revision is 0 if an earlier version of the wallet sealed it. */
export type OpenedValue = { value: unknown; revision: number }

/** Decrypts a value sealed under this name. Returns undefined if it has another format or fails authentication. */
export const openSealed = (key: string, name: string, stored: unknown): OpenedValue | undefined => {
  if (!isSealed(stored)) return undefined
  const { version, nonce, sealed } = stored
  const revision = version === 3 ? stored.revision : 0
  try {
    const bytes = version === 1 ? hexToBytes(sealed) : fromBase64(sealed)
    const label = version === 3 ? `${name} ${revision}` : name
    const plain = cipherOf(key, label, hexToBytes(nonce)).decrypt(bytes)
    return { value: JSON.parse(new TextDecoder().decode(plain)), revision }
  } catch {
    return undefined
  }
}

/** True if the value has the format of a sealed value, whatever its key. */
export const isSealed = (stored: unknown): stored is Sealed => v.is(SealedSchema, stored)

/**
 * Revision by record name: the number of times that the record was written. If a stored record's revision is lower,
 * another program has written back an older version; if the record is missing, it was deleted.
 *
 * The revisions are kept twice: sealed on disk, for the next browser start, and in the session, for the next worker. No
 * content script and no other program can write to the session. A record is written before its revision is noted. If
 * the worker stops in between, the record is newer than its noted revision, which is accepted.
 */
export type Revisions = Readonly<Record<string, number>>

/** Name of the revisions in both stores. */
export const REVISIONS = 'revisions'

/**
 * Revision with which the revisions themselves are sealed. It is constant, because each record's revision is compared
 * with its own earlier value.
 */
const OWN_REVISION = 1

const newest = (one: Revisions, other: Revisions): Revisions => ({
  ...one,
  ...Object.fromEntries(Object.entries(other).map(([name, revision]) => [name, Math.max(revision, one[name] ?? 0)])),
})

const isMissingIn = (revisions: Revisions, kept: Revisions | undefined): boolean =>
  kept === undefined || Object.entries(revisions).some(([name, revision]) => kept[name] !== revision)

/** Writes the revisions to both stores. `key` is the settings' key. */
export const writeRevisions = async ({ local, session }: Stores, key: string, revisions: Revisions): Promise<void> => {
  await local.set(REVISIONS, seal(key, REVISIONS, revisions, OWN_REVISION))
  await session.set(REVISIONS, revisions)
}

/**
 * Returns the newest known revisions, or undefined if there are none. Repairs an incomplete copy: the copy on disk if
 * it was changed or is unreadable, the session's copy after a browser start.
 */
export const readRevisions = async (stores: Stores, key: string): Promise<Revisions | undefined> => {
  const stored = await stores.local.get(REVISIONS).catch(report)
  const onDisk = openSealed(key, REVISIONS, stored)?.value as Revisions | undefined
  const inSession = (await stores.session.get(REVISIONS)) as Revisions | undefined
  if (!onDisk && !inSession) return undefined
  const revisions = newest(onDisk ?? {}, inSession ?? {})
  if (isMissingIn(revisions, onDisk)) await writeRevisions(stores, key, revisions).catch(report)
  else if (isMissingIn(revisions, inSession)) await stores.session.set(REVISIONS, revisions)
  return revisions
}

/** `refused`: another program has deleted or changed the record, or replaced it with an older version. */
export type Latest = OpenedValue | 'absent' | 'refused'

/**
 * Decrypts a stored record unless it is older than `noted`, its minimum revision, which is 0 if it was never written.
 */
export const openLatest = (key: string | undefined, name: string, stored: unknown, noted: number): Latest => {
  if (stored === undefined) return noted === 0 ? 'absent' : 'refused'
  const opened = key === undefined ? undefined : openSealed(key, name, stored)
  return opened && opened.revision >= noted ? opened : 'refused'
}
