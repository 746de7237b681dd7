/**
 * The wallet's settings and records on disk, which decide what a site may see and what the person is warned of. They are
 * sealed, so that neither another program nor a compromised page can change them unnoticed.
 *
 * Their key is in the vault. From the first unlock on it is in memory until the browser closes, so that the wallet knows
 * its settings also while it is locked. Before that nothing is verified: every value reads as absent, and safety as strict.
 */
import { rpcError } from '@heliograph/shared/errors'
import { SEALED_FILES, SETTINGS } from '../registry.ts'
import { STRICT_SAFETY } from '../safety.ts'
import type { Store, Stores } from '../store.ts'
import { createTurns } from '../turns.ts'
import { isSealed, newSealingKey, openSealed, seal } from './sealing.ts'
import type { Secrets } from './secrets.ts'
import { setAside } from './unverified.ts'
import type { Vault } from './vault.ts'

type Values = Readonly<Record<string, unknown>>

export type TrustedStore = Store & {
  /** Whether values are known: not between the start of the browser and the first unlock. */
  isOpen(): Promise<boolean>
  /** Keeps a value of this name aside that did not open, and has the person told. */
  reset(name: string, stored: unknown): Promise<void>
  /** Forgets the key and the values in memory, after `work`: there is another wallet then, or none. */
  forget(work?: () => Promise<void>): Promise<void>
}

/** The record of all settings, and their key in the session. */
const RECORD = 'settings'
const KEY = 'settings-key'
/** What was chosen before there is a wallet, and so a key. It lives as long as the browser runs. */
const EARLY = 'early-settings'
/** Names of the values that could not be verified, until the person has seen them. */
const RESET = 'reset'

/** What is assumed while nothing is verified. */
const UNVERIFIED: Values = { safety: STRICT_SAFETY }

const settings: ReadonlySet<string> = new Set(SETTINGS)

/** The secrets of a new wallet with a key for its settings. */
export const withSettingsKey = (secrets: Secrets): Secrets => ({
  ...secrets,
  settings: { key: newSealingKey(), adopts: 'early' },
})

/** The key of the settings, and what is in memory of what it seals. */
type Opened = { key: string; record: Values; files: Map<string, unknown> }

/** What can be told without the key, as long as the vault has made no more changes than these. */
type Closed = { changes: number; isEmpty: boolean; early: Values }

/** `local` and `session` as the browser has them. */
export const createTrustedStore = ({ local, session }: Stores, vault: Vault): TrustedStore => {
  const inTurn = createTurns()
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

  /** Seals the values that there were before the key. A repetition after an interruption comes to the same. */
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

  /** The key in the open vault; null while that is locked. A wallet of an earlier version gets one. */
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

  /** A record that is missing was deleted: each wallet has one. */
  const openRecord = async (key: string): Promise<Values> => {
    const { stored, values } = await readRecord(key)
    if (values) return values
    const record = { ...UNVERIFIED, [RESET]: [RECORD] }
    if (stored !== undefined) await setAside(local, RECORD, stored)
    await writeRecord(key, record)
    return record
  }

  /** Looks again only after a change of the vault: every request of a page reads several values. */
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
    opened = { key, record: await openRecord(key), files: new Map() }
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
    if (!isEmpty) throw rpcError('unauthorized', 'Unlock the wallet first')
    closed = undefined
    await session.set(EARLY, { ...early, [name]: value })
  }

  const get = async (name: string): Promise<unknown> => {
    const trusted = await open()
    if ('key' in trusted) return settings.has(name) ? trusted.record[name] : readFile(trusted, name)
    return trusted.isEmpty ? trusted.early[name] : UNVERIFIED[name]
  }

  const set = async (name: string, value: unknown) => {
    const trusted = await open()
    if ('isEmpty' in trusted) return setEarly(trusted, name, value)
    if (settings.has(name)) return setSetting(trusted, name, value)
    trusted.files.delete(name)
    await local.set(name, seal(trusted.key, name, value))
    trusted.files.set(name, JSON.parse(JSON.stringify(value)))
  }

  return {
    get: name => inTurn(() => get(name)),
    set: (name, value) => inTurn(() => set(name, value)),
    remove: name => inTurn(() => set(name, null)),
    isOpen: () =>
      inTurn(async () => {
        const trusted = await open()
        return 'key' in trusted || trusted.isEmpty
      }),
    reset: (name, stored) =>
      inTurn(async () => {
        const trusted = await open()
        if ('key' in trusted) await reset(trusted, name, stored)
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
