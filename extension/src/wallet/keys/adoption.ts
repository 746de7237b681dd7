/**
 * Seals settings and records whose key did not exist when they were stored: the user chose them before there was a
 * wallet, or an earlier version stored them in plain text.
 */
import { SEALED_FILES, SETTINGS } from '../storage/registry.ts'
import type { Stores } from '../storage/store.ts'
import { isSealed, openSealed, seal, writeRevisions } from './sealing.ts'
import { setAside } from './unverified.ts'

export type Values = Readonly<Record<string, unknown>>

/** Name of the record that holds all settings. */
export const RECORD = 'settings'
/** Session name of the settings chosen before a wallet, and thus a key, exists. */
export const EARLY = 'early-settings'

export const readEarly = async ({ session }: Stores): Promise<Values> => ((await session.get(EARLY)) ?? {}) as Values

const readPlain = async ({ local }: Stores, names: readonly string[]): Promise<Values> => {
  const values = await Promise.all(names.map(local.get))
  const pairs = names.map((name, at) => [name, values[at]] as const)
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined && !isSealed(value)))
}

/** Seals the values with `key`. Idempotent, so it can run again after an interruption. */
export const adopt = async (stores: Stores, key: string, from: 'early' | 'plain'): Promise<void> => {
  const { local, session } = stores
  const values = from === 'early' ? await readEarly(stores) : await readPlain(stores, [...SETTINGS, ...SEALED_FILES])
  const of = (names: readonly string[]) => Object.entries(values).filter(([name]) => names.includes(name))
  await writeRevisions(stores, key, {})
  for (const [name, value] of of(SEALED_FILES)) await local.set(name, seal(key, name, value, 1))
  const stored = await local.get(RECORD)
  const before = openSealed(key, RECORD, stored)?.value as Values | undefined
  if (stored !== undefined && !before) await setAside(local, RECORD, stored)
  await local.set(RECORD, seal(key, RECORD, { ...before, ...Object.fromEntries(of(SETTINGS)) }, 1))
  for (const name of SETTINGS) await local.remove(name)
  await session.remove(EARLY)
}
