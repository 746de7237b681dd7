/**
 * Sealed values: stored values that are encrypted with a key in the vault, by XChaCha20-Poly1305
 * (draft-irtf-cfrg-xchacha-03). A value's name and revision are associated data, so values cannot be swapped on disk, and
 * an older value cannot pass for a newer one.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { asUnreadable, type Cell, ifUnreadable, type Store, type Stores } from '../storage/store.ts'
import { report, rpcError } from '../text/errors.ts'
import { createSerialQueue } from '../work/turns.ts'
import type { TrustedStore } from './trusted-store.ts'
import type { Vault } from './vault.ts'

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

/**
 * A sealed value that is readable only while the wallet is unlocked. It is stored apart from the vault, because it
 * changes often. Reads as null while the wallet is locked, and if the stored value cannot be read. An update throws 4100 in the first
 * case, -32603 in the second.
 */
export type SealedCell<T> = Cell<T, null>

/** Dependencies of sealed cells. */
export type Sealing = {
  store: Store
  vault: Pick<Vault, 'read' | 'peek' | 'update'>
  /** Records the revisions of values, and sets aside refused values. */
  trusted: Pick<TrustedStore, 'noted' | 'note' | 'reset'>
}

export type SealedCellParts<T> = Sealing & {
  name: string
  /** Returns the value to use if none is stored. */
  initial: () => T
}

/**
 * Creates a cell. An authenticated value was written by this cell, so its shape is not validated. A value that is
 * outdated or fails authentication is set aside, and the cell starts again with its initial value.
 */
export const createSealedCell = <T>({ store, vault, trusted, name, initial }: SealedCellParts<T>): SealedCell<T> => {
  const inTurn = createSerialQueue()

  const requireKey = async (): Promise<string> => {
    const { stateKey } = await vault.read()
    if (stateKey !== undefined) return stateKey
    const fresh = newSealingKey()
    return (await vault.update(secrets => ({ stateKey: fresh, ...secrets }))).stateKey ?? fresh
  }

  const write = async (value: T, revision: number): Promise<{ value: T; revision: number }> => {
    await store.set(name, seal(await requireKey(), name, value, revision))
    await trusted.note(name, revision)
    return { value, revision }
  }

  /** Returns the value and its revision. A value sealed by an earlier version of the wallet gets its first revision. */
  const open = async (stateKey: string | undefined, noted: number): Promise<{ value: T; revision: number }> => {
    const stored = await store.get(name).catch(asUnreadable(name))
    const latest = openLatest(stateKey, name, stored, noted)
    if (latest === 'absent') return { value: initial(), revision: 0 }
    if (latest === 'refused') {
      // The refused value counts as unreadable until the disk has room to set it aside.
      await trusted.reset(name, stored).catch(asUnreadable(name))
      return write(initial(), noted + 1).catch(asUnreadable(name))
    }
    const found = { value: latest.value as T, revision: latest.revision }
    if (found.revision > noted) await trusted.note(name, found.revision)
    if (found.revision > 0) return found
    return write(found.value, 1).catch(error => {
      report(error)
      return found
    })
  }

  return {
    read: () =>
      inTurn(async () => {
        const secrets = await vault.peek()
        const noted = secrets && (await trusted.noted(name))
        if (!secrets || noted === null) return null
        return open(secrets.stateKey, noted).then(({ value }) => value, ifUnreadable(null))
      }),
    update: change =>
      inTurn(async () => {
        const { stateKey } = await vault.read()
        const noted = await trusted.noted(name)
        if (noted === null) throw rpcError('unauthorized', 'unlockFirst')
        const { value, revision } = await open(stateKey, noted)
        const changed = change(value)
        return changed === value ? value : (await write(changed, revision + 1)).value
      }),
  }
}
