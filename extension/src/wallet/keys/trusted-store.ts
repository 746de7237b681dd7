/**
 * The stored settings and records that decide what a site may see and which warnings appear. They are encrypted and
 * authenticated, so that neither another program nor a compromised page can change them unnoticed.
 *
 * The key is in the vault. The first unlock copies it to the session, where it stays until the browser closes, so
 * settings are available while the wallet is locked. Before the first unlock every value reads as absent, and safety as
 * strict. A value must therefore be read before it is set.
 */
import { SEALED_FILES, SETTINGS } from '../storage/registry.ts'
import type { Store, Stores } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'
import { createSerialQueue } from '../work/serial-queue.ts'
import { STRICT_SAFETY } from './safety.ts'
import { isSealed, newSealingKey, openSealed, seal } from './sealing.ts'
import type { Secrets } from './secrets.ts'
import { setAside } from './unverified.ts'
import type { Vault } from './vault.ts'

type Values = Readonly<Record<string, unknown>>

export type TrustedStore = Store & {
  /** False between the start of the browser and the first unlock. */
  isVerified(): Promise<boolean>
  /** Moves a value that failed to decrypt aside and informs the person. Throws 4100 before the first unlock. */
  reset(name: string, stored: unknown): Promise<void>
  /** Drops the key and the cached values after `work`. Called when the wallet is removed or replaced. */
  forget(work?: () => Promise<void>): Promise<void>
}

/** Name of the record of all settings, and of its key in the session. */
const RECORD = 'settings'
const KEY = 'settings-key'
/** Settings chosen before there is a wallet, and so a key. Kept in the session. */
const EARLY = 'early-settings'
/** Names of the values that could not be verified, until the person acknowledges them. */
const RESET = 'reset'

/** Values assumed until the first unlock. */
const UNVERIFIED: Values = { safety: STRICT_SAFETY }

const settings: ReadonlySet<string> = new Set(SETTINGS)

/** Adds a key for settings to the secrets of a new wallet. */
export const withSettingsKey = (secrets: Secrets): Secrets => ({
  ...secrets,
  settings: { key: newSealingKey(), adopts: 'early' },
})

/** The key of the settings, the cached decrypted values, and the names of the values that were read since the unlock. */
type Opened = { key: string; record: Values; files: Map<string, unknown>; read: Set<string> }

/** Cached state without the key. Valid while `vault.changes()` returns `changes`. */
type Closed = { changes: number; isEmpty: boolean; early: Values }

/** `local` and `session` are the browser's storage areas. */
export const createTrustedStore = ({ local, session }: Stores, vault: Vault): TrustedStore => {
  const inTurn = createSerialQueue()
  let opened: Opened | undefined
  let closed: Closed | undefined

  const readRecord = async (key: string) => {
    const stored = await local.get(RECORD)
    return { stored, values: openSealed(key, RECORD, stored)?.value as Values | undefined }
  }

  const writeRecord = (key: string, record: Values) => local.set(RECORD, seal(key, RECORD, record))

  const readEarly = async () => ((await session.get(EARLY)) ?? {}) as Values

  const readPlain = async (names: readonly string[]): Promise<Values> => {
    const values = await Promise.all(names.map(local.get))
    const pairs = names.map((name, at) => [name, values[at]] as const)
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined && !isSealed(value)))
  }

  /** Seals the values from before the key existed. Idempotent, so it can run again after an interruption. */
  const adopt = async (key: string, from: 'early' | 'plain') => {
    const early = await readEarly()
    const values = from === 'early' ? early : await readPlain([...SETTINGS, ...SEALED_FILES])
    const of = (names: readonly string[]) => Object.entries(values).filter(([name]) => names.includes(name))
    for (const [name, value] of of(SEALED_FILES)) await local.set(name, seal(key, name, value))
    const { stored, values: before } = await readRecord(key)
    if (stored !== undefined && !before) await setAside(local, RECORD, stored)
    await writeRecord(key, { ...before, ...Object.fromEntries(of(SETTINGS)) })
    for (const name of SETTINGS) await local.remove(name)
    await session.remove(EARLY)
    await vault.update(secrets => ({ ...secrets, settings: { key } }))
  }

  /** The key in the vault, or null if it is locked. Adds one to a wallet of an earlier version. */
  const keyInVault = async (): Promise<string | null> => {
    const secrets = await vault.peek()
    if (!secrets) return null
    const { settings: held } = secrets.settings
      ? secrets
      : await vault.update(known => ({ settings: { key: newSealingKey(), adopts: 'plain' }, ...known }))
    if (!held) return null
    if (held.adopts) await adopt(held.key, held.adopts)
    return held.key
  }

  /** A missing record was deleted by another program: every wallet has one. */
  const openRecord = async (key: string): Promise<Values> => {
    const { stored, values } = await readRecord(key)
    if (values) return values
    const record = { ...UNVERIFIED, [RESET]: [RECORD] }
    if (stored !== undefined) await setAside(local, RECORD, stored)
    await writeRecord(key, record)
    return record
  }

  /** Tries again only after a change of the vault, because every request of a page reads several values. */
  const open = async (): Promise<Opened | Closed> => {
    if (opened) return opened
    const changes = vault.changes()
    if (closed?.changes === changes) return closed
    const kept = await session.get(KEY)
    const key = typeof kept === 'string' ? kept : await keyInVault()
    if (key === null) {
      closed = { changes, isEmpty: (await vault.phase()) === 'empty', early: await readEarly() }
      return closed
    }
    opened = { key, record: await openRecord(key), files: new Map(), read: new Set() }
    if (kept === undefined) await session.set(KEY, key)
    return opened
  }

  const setSetting = async (trusted: Opened, name: string, value: unknown) => {
    const record = { ...trusted.record, [name]: JSON.parse(JSON.stringify(value)) }
    await writeRecord(trusted.key, record)
    trusted.record = record
  }

  const reset = async (trusted: Opened, name: string, stored: unknown) => {
    await setAside(local, name, stored)
    const before = (trusted.record[RESET] ?? []) as readonly string[]
    await setSetting(trusted, RESET, [...new Set([...before, name])])
  }

  const readFile = async (trusted: Opened, name: string): Promise<unknown> => {
    if (trusted.files.has(name)) return trusted.files.get(name)
    const stored = await local.get(name)
    const file = stored === undefined ? undefined : openSealed(trusted.key, name, stored)
    if (stored !== undefined && !file) await reset(trusted, name, stored)
    trusted.files.set(name, file?.value)
    return file?.value
  }

  const setEarly = async ({ isEmpty, early }: Closed, name: string, value: unknown) => {
    if (!isEmpty) throw rpcError('unauthorized', 'unlockFirst')
    closed = undefined
    await session.set(EARLY, { ...early, [name]: value })
  }

  const get = async (name: string): Promise<unknown> => {
    const trusted = await open()
    if ('key' in trusted) {
      trusted.read.add(name)
      return settings.has(name) ? trusted.record[name] : readFile(trusted, name)
    }
    return trusted.isEmpty ? trusted.early[name] : UNVERIFIED[name]
  }

  const set = async (name: string, value: unknown) => {
    const trusted = await open()
    if ('isEmpty' in trusted) return setEarly(trusted, name, value)
    // It was computed from a value that the locked store read as absent, and would overwrite the real one.
    if (!trusted.read.has(name)) throw rpcError('unauthorized', 'unlockFirst')
    if (settings.has(name)) return setSetting(trusted, name, value)
    trusted.files.delete(name)
    await local.set(name, seal(trusted.key, name, value))
    trusted.files.set(name, JSON.parse(JSON.stringify(value)))
  }

  return {
    get: name => inTurn(() => get(name)),
    set: (name, value) => inTurn(() => set(name, value)),
    remove: name => inTurn(() => set(name, null)),
    isVerified: () =>
      inTurn(async () => {
        const trusted = await open()
        return 'key' in trusted || trusted.isEmpty
      }),
    reset: (name, stored) =>
      inTurn(async () => {
        const trusted = await open()
        // Without the record of it, the value must stay where it is.
        if ('isEmpty' in trusted) throw rpcError('unauthorized', 'unlockFirst')
        await reset(trusted, name, stored)
      }),
    forget: (work = async () => {}) =>
      inTurn(async () => {
        await work()
        opened = undefined
        closed = undefined
        await session.remove(KEY)
      }),
  }
}
