/**
 * Stored settings, and records that decide what a site may see and which warnings appear. They are encrypted and
 * authenticated, and their revisions are recorded, so neither another program nor a compromised page can change, delete
 * or roll back a record unnoticed.
 *
 * The key is in the vault. The first unlock copies it to the session, where it stays until the browser closes, so
 * settings are available while the wallet is locked. Before the first unlock, every value reads as absent, except that
 * safety reads as strict. A value must therefore be read before it is set.
 */
import { SETTINGS, STRICT_FILES } from '../storage/registry.ts'
import { asUnreadable, ifUnreadable, type Store, type Stores } from '../storage/store.ts'
import { report, rpcError } from '../text/errors.ts'
import { createSerialQueue } from '../work/turns.ts'
import { adopt, EARLY, RECORD, readEarly, type Values } from './adoption.ts'
import { STRICT_SAFETY } from './safety.ts'
import { newSealingKey, openLatest, REVISIONS, type Revisions, readRevisions, seal, writeRevisions } from './sealing.ts'
import { setAside } from './unverified.ts'
import type { Vault } from './vault.ts'
import type { Secrets } from './vault-file.ts'

/** `remove` resets a value to absent. If the value was not read before, because it is unreadable, the user is told. */
export type TrustedStore = Store & {
  /** Resolves to false between the browser's start and the first unlock. */
  isVerified(): Promise<boolean>
  /** Returns a record's minimum revision, 0 if it was never written. Null before the first unlock. */
  noted(name: string): Promise<number | null>
  /** Records the revision of a record that was written. Throws 4100 before the first unlock. */
  note(name: string, revision: number): Promise<void>
  /** Sets aside a refused value, if there is one, and tells the user. Throws 4100 before the first unlock. */
  reset(name: string, stored: unknown): Promise<void>
  /** Runs `work`, then drops the key and the cached values. Called when the wallet is removed or replaced. */
  forget(work?: () => Promise<void>): Promise<void>
}

/** Session name of the key. */
const KEY = 'settings-key'
/** Setting that lists the values that could not be verified, until the user acknowledges them. */
const RESET = 'reset'

/** Values that are assumed until the first unlock. */
const UNVERIFIED: Values = { safety: STRICT_SAFETY }

const settings: ReadonlySet<string> = new Set(SETTINGS)
const strict: ReadonlySet<string> = new Set(STRICT_FILES)

/** Adds a settings key to a new wallet's secrets. */
export const withSettingsKey = (secrets: Secrets): Secrets => ({
  ...secrets,
  settings: { key: newSealingKey(), adopts: 'early' },
})

/**
 * The settings' key, the cached decrypted values, the names of values read since the unlock, and the revisions of all
 * sealed records.
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

  /** Returns the key in the vault, or null while it is locked. Creates the key in a wallet of an earlier version. */
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
    // Only reports a failure, because the record has been written and is accepted without its new revision.
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
    // The notice is set first, so that the user is told even if the disk is full.
    trusted.record = { ...trusted.record, [RESET]: told }
    if (stored !== undefined) await setAside(local, name, stored)
    await setSetting(trusted, RESET, told)
  }

  /**
   * Gives a record sealed by an earlier version of the wallet its first revision. If that fails, the record stays
   * readable.
   */
  const renew = (trusted: Opened, name: string, value: unknown) => write(trusted, name, value).catch(report)

  /**
   * Opens the settings record. Every wallet has one, so a missing record was deleted by another program. Missing
   * revisions were deleted too, unless the settings are from an earlier version. Without revisions, no record is known
   * to be the latest, so safety is strict, and the user is told.
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
      // The record of revisions is written first, because settings with a revision must never exist without it.
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

  /**
   * Opens the settings. After a failure, tries again only when the vault has changed, because every page request reads
   * several values.
   */
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
      // The refused record counts as unreadable until the disk has room to set it aside.
      await reset(trusted, name, stored).catch(asUnreadable(name))
      // Stores `null` as the value, so that the missing record is not refused again.
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
    // The new value was computed while the stored value read as absent, because the store was locked or failed. So it
    // must not overwrite the stored value.
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
    // Throws if the reset cannot be recorded. The caller must then leave the stored value in place.
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
