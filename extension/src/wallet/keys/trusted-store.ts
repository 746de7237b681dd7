/**
 * The stored settings and records that decide what a site may see and which warnings appear. They are encrypted and
 * authenticated, and their revisions are noted, so that neither another program nor a compromised page can change, delete or
 * roll back one unnoticed.
 *
 * The key is in the vault. The first unlock copies it to the session, where it stays until the browser closes, so
 * settings are available while the wallet is locked. Before the first unlock every value reads as absent, and safety as
 * strict. A value must therefore be read before it is set.
 */
import { SETTINGS, STRICT_FILES } from '../storage/registry.ts'
import type { Store, Stores } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'
import { report } from '../work/failures.ts'
import { createSerialQueue } from '../work/serial-queue.ts'
import { adopt, EARLY, RECORD, readEarly, type Values } from './adoption.ts'
import { openLatest, REVISIONS, type Revisions, readRevisions, writeRevisions } from './revisions.ts'
import { STRICT_SAFETY } from './safety.ts'
import { newSealingKey, seal } from './sealing.ts'
import type { Secrets } from './secrets.ts'
import { asUnreadable, ifUnreadable } from './unreadable.ts'
import { setAside } from './unverified.ts'
import type { Vault } from './vault.ts'

/** `remove` begins a value anew. The person is told if it was not read before, as when it cannot be. */
export type TrustedStore = Store & {
  /** False between the start of the browser and the first unlock. */
  isVerified(): Promise<boolean>
  /** The revision that a record has at least, 0 if it was never written. Null before the first unlock. */
  noted(name: string): Promise<number | null>
  /** Notes the revision of a record that was written. Throws 4100 before the first unlock. */
  note(name: string, revision: number): Promise<void>
  /** Moves aside a value that was refused, if there is one, and informs the person. Throws 4100 before the first unlock. */
  reset(name: string, stored: unknown): Promise<void>
  /** Drops the key and the cached values after `work`. Called when the wallet is removed or replaced. */
  forget(work?: () => Promise<void>): Promise<void>
}

/** Name of the key in the session. */
const KEY = 'settings-key'
/** Names of the values that could not be verified, until the person acknowledges them. */
const RESET = 'reset'

/** Values assumed until the first unlock. */
const UNVERIFIED: Values = { safety: STRICT_SAFETY }

const settings: ReadonlySet<string> = new Set(SETTINGS)
const strict: ReadonlySet<string> = new Set(STRICT_FILES)

/** Adds a key for settings to the secrets of a new wallet. */
export const withSettingsKey = (secrets: Secrets): Secrets => ({
  ...secrets,
  settings: { key: newSealingKey(), adopts: 'early' },
})

/**
 * The key of the settings, the cached decrypted values, the names of the values that were read since the unlock, and the
 * revisions of all sealed records.
 */
type Opened = {
  key: string
  record: Values
  files: Map<string, unknown>
  read: Set<string>
  revisions: Revisions
}

/** Cached state without the key. Valid while `vault.changes()` returns `changes`. */
type Closed = { changes: number; isEmpty: boolean; early: Values }

/** `local` and `session` are the browser's storage areas. */
export const createTrustedStore = (stores: Stores, vault: Vault): TrustedStore => {
  const { local, session } = stores
  const inTurn = createSerialQueue()
  let opened: Opened | undefined
  let closed: Closed | undefined

  /** The key in the vault, or null if it is locked. Adds one to a wallet of an earlier version. */
  const keyInVault = async (): Promise<string | null> => {
    const secrets = await vault.peek()
    if (!secrets) return null
    const { settings: held } = secrets.settings
      ? secrets
      : await vault.update(known => ({ settings: { key: newSealingKey(), adopts: 'plain' }, ...known }))
    if (!held) return null
    const { key, adopts } = held
    if (adopts) {
      await adopt(stores, key, adopts)
      await vault.update(known => ({ ...known, settings: { key } }))
    }
    return key
  }

  const note = async (trusted: Opened, name: string, revision: number) => {
    trusted.revisions = { ...trusted.revisions, [name]: revision }
    // The record is written, and accepted without the note.
    await writeRevisions(stores, trusted.key, trusted.revisions).catch(report)
  }

  const write = async (trusted: Opened, name: string, value: unknown) => {
    const revision = (trusted.revisions[name] ?? 0) + 1
    await local.set(name, seal(trusted.key, name, value, revision))
    await note(trusted, name, revision)
  }

  const setSetting = async (trusted: Opened, name: string, value: unknown) => {
    const record = { ...trusted.record, [name]: JSON.parse(JSON.stringify(value)) }
    await write(trusted, RECORD, record)
    trusted.record = record
  }

  const reset = async (trusted: Opened, name: string, stored: unknown) => {
    const told = [...new Set([...((trusted.record[RESET] ?? []) as readonly string[]), name])]
    // First, so that the person is also told if the disk is full.
    trusted.record = { ...trusted.record, [RESET]: told }
    if (stored !== undefined) await setAside(local, name, stored)
    await setSetting(trusted, RESET, told)
  }

  /** Gives a record that an earlier version of the wallet has sealed its first revision. It is readable without. */
  const renew = (trusted: Opened, name: string, value: unknown) => write(trusted, name, value).catch(report)

  /**
   * Opens the record of the settings. A missing one was deleted by another program: every wallet has one. The same is true of
   * the revisions, except beside settings of an earlier version. Without them no record is known to be the latest, so safety
   * is strict, and the person is told.
   */
  const openRecord = async (key: string): Promise<Opened> => {
    const stored = await local.get(RECORD)
    const known = await readRevisions(stores, key)
    const noted = known?.[RECORD] ?? 0
    const latest = openLatest(key, RECORD, stored, noted)
    const { value, revision } = typeof latest === 'object' ? latest : { value: UNVERIFIED, revision: noted }
    const trusted: Opened = {
      key,
      record: value as Values,
      files: new Map(),
      read: new Set(),
      revisions: { ...known, [RECORD]: revision },
    }
    if (typeof latest === 'object' && revision === 0) {
      // First, because settings with a revision are never alone.
      const isReady = known !== undefined || (await writeRevisions(stores, key, {}).then(() => true, report))
      if (isReady) await renew(trusted, RECORD, value)
      return trusted
    }
    if (typeof latest === 'string') await reset(trusted, RECORD, stored)
    if (!known) {
      trusted.record = { ...trusted.record, ...UNVERIFIED }
      await reset(trusted, REVISIONS, undefined).catch(report)
    } else if (revision > noted) await note(trusted, RECORD, revision)
    return trusted
  }

  /** Tries again only after a change of the vault, because every request of a page reads several values. */
  const open = async (): Promise<Opened | Closed> => {
    if (opened) return opened
    const changes = vault.changes()
    if (closed?.changes === changes) return closed
    const kept = await session.get(KEY)
    const key = typeof kept === 'string' ? kept : await keyInVault()
    if (key === null) {
      closed = { changes, isEmpty: (await vault.phase()) === 'empty', early: await readEarly(stores) }
      return closed
    }
    opened = await openRecord(key)
    if (kept === undefined) await session.set(KEY, key)
    return opened
  }

  const requireOpen = async (): Promise<Opened> => {
    const trusted = await open()
    if ('isEmpty' in trusted) throw rpcError('unauthorized', 'unlockFirst')
    return trusted
  }

  const readFile = async (trusted: Opened, name: string): Promise<unknown> => {
    if (trusted.files.has(name)) return trusted.files.get(name)
    const stored = await local.get(name).catch(asUnreadable(name))
    const noted = trusted.revisions[name] ?? 0
    const latest = openLatest(trusted.key, name, stored, noted)
    const value = typeof latest === 'object' ? latest.value : undefined
    if (latest === 'refused') {
      // Until the disk has room for what is set aside, the record counts as one that cannot be read.
      await reset(trusted, name, stored).catch(asUnreadable(name))
      // So that a value that is missing now is not refused again.
      await write(trusted, name, null).catch(asUnreadable(name))
    }
    if (typeof latest === 'object' && latest.revision === 0) await renew(trusted, name, value)
    if (typeof latest === 'object' && latest.revision > noted) await note(trusted, name, latest.revision)
    trusted.files.set(name, value)
    trusted.read.add(name)
    return value
  }

  const readSetting = (trusted: Opened, name: string): unknown => {
    trusted.read.add(name)
    return trusted.record[name]
  }

  const setEarly = async ({ isEmpty, early }: Closed, name: string, value: unknown) => {
    if (!isEmpty) throw rpcError('unauthorized', 'unlockFirst')
    closed = undefined
    await session.set(EARLY, { ...early, [name]: value })
  }

  const get = async (name: string): Promise<unknown> => {
    const trusted = await open()
    if ('key' in trusted) {
      if (settings.has(name)) return readSetting(trusted, name)
      return strict.has(name) ? readFile(trusted, name) : readFile(trusted, name).catch(ifUnreadable(undefined))
    }
    return trusted.isEmpty ? trusted.early[name] : UNVERIFIED[name]
  }

  const set = async (name: string, value: unknown) => {
    const trusted = await open()
    if ('isEmpty' in trusted) return setEarly(trusted, name, value)
    // It was computed from a value that read as absent, because the store was locked or failed, and would overwrite the real one.
    if (!trusted.read.has(name)) {
      if (!settings.has(name)) await readFile(trusted, name)
      throw rpcError('unauthorized', 'unlockFirst')
    }
    if (settings.has(name)) return setSetting(trusted, name, value)
    trusted.files.delete(name)
    await write(trusted, name, value)
    trusted.files.set(name, JSON.parse(JSON.stringify(value)))
  }

  const remove = async (name: string) => {
    const trusted = await open()
    if ('key' in trusted && !trusted.read.has(name)) {
      await reset(trusted, name, undefined)
      trusted.read.add(name)
    }
    await set(name, null)
  }

  return {
    get: name => inTurn(() => get(name)),
    set: (name, value) => inTurn(() => set(name, value)),
    remove: name => inTurn(() => remove(name)),
    isVerified: () =>
      inTurn(async () => {
        const trusted = await open()
        return 'key' in trusted || trusted.isEmpty
      }),
    noted: name =>
      inTurn(async () => {
        const trusted = await open()
        return 'key' in trusted ? (trusted.revisions[name] ?? 0) : null
      }),
    note: (name, revision) => inTurn(async () => note(await requireOpen(), name, revision)),
    // Without the record of it, the value must stay where it is.
    reset: (name, stored) => inTurn(async () => reset(await requireOpen(), name, stored)),
    forget: (work = async () => {}) =>
      inTurn(async () => {
        await work()
        opened = undefined
        closed = undefined
        await session.remove(KEY)
        await session.remove(REVISIONS)
      }),
  }
}
