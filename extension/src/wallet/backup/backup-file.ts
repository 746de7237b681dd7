/**
 * The backup file: sections of items, sealed with a password in the vault's format. Its own version is outside and inside
 * the seal. docs/backup.md describes it.
 */
import * as v from 'valibot'
import {
  deriveKey,
  type KdfCost,
  newKdf,
  openVault,
  parseVaultFile,
  sealVault,
  VaultError,
  type VaultFailure,
} from '../keys/vault-file.ts'
import { rpcError } from '../text/errors.ts'
import type { Reason } from '../text/reasons.ts'

/** The version that this wallet writes. It opens every earlier one. */
export const BACKUP_VERSION = 1
/** Maximum characters of a file, and maximum number of its items. The limits of a wallet's data are lower. */
export const MAX_BACKUP = 40 << 20
export const MAX_ITEMS = 20_000

/** A section as it is in the file. Its items are unchecked. */
export type RawSection = { name: string; items: readonly unknown[] }
export type RawBackup = { wallet: string; savedAt: number; sections: readonly RawSection[] }

/** How a file begins, however its JSON is laid out. */
const START = /^\ufeff?\s*\{\s*"heliograph"\s*:\s*"backup"/

const version = v.pipe(v.number(), v.integer(), v.minValue(1))
const File = v.object({ heliograph: v.literal('backup'), version, sealed: v.unknown() })
const Contents = v.object({
  version,
  wallet: v.fallback(v.string(), ''),
  savedAt: v.fallback(v.number(), 0),
  sections: v.nullish(v.array(v.unknown()), []),
})
const Section = v.object({ name: v.string(), items: v.array(v.unknown()) })

/** Reasons of the vault's format, as reasons about a backup. */
const REASONS = {
  wrongPassword: 'backupPassword',
  vaultTruncated: 'backupTruncated',
  vaultCorrupted: 'backupChanged',
  vaultNewer: 'backupNewer',
  vaultCost: 'backupCost',
} as const satisfies Record<VaultFailure, Reason>

const about = <T>(open: () => T): T => {
  try {
    return open()
  } catch (error) {
    if (error instanceof VaultError) throw rpcError('invalidParams', REASONS[error.reason])
    throw error
  }
}

const assertKnown = (given: number) => {
  if (given > BACKUP_VERSION) throw rpcError('invalidParams', 'backupNewer')
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw rpcError('invalidParams', START.test(text) ? 'backupTruncated' : 'backupForeign')
  }
}

/**
 * Parses a file up to its seal. `cost` is the cost that this wallet writes. Throws -32602 if the file is too large, is no
 * backup, is incomplete, was changed, or is from a newer version.
 */
export const parseBackup = (text: string, cost: KdfCost) => {
  if (text.length > MAX_BACKUP) throw rpcError('limitExceeded', 'backupTooLarge', { limit: MAX_BACKUP >> 20 })
  const parsed = v.safeParse(File, parseJson(text))
  if (!parsed.success) throw rpcError('invalidParams', START.test(text) ? 'backupChanged' : 'backupForeign')
  assertKnown(parsed.output.version)
  return about(() => parseVaultFile(parsed.output.sealed, cost))
}

/** Opens a file. Throws like `parseBackup`, and -32602 if the password is wrong. */
export const openBackupFile = async (text: string, password: string, cost: KdfCost): Promise<RawBackup> => {
  const file = parseBackup(text, cost)
  const key = await deriveKey(password, file.kdf)
  const opened = about(() => {
    try {
      return openVault(file, key, 'backup')
    } finally {
      key.fill(0)
    }
  })
  const contents = v.safeParse(Contents, opened)
  if (!contents.success) throw rpcError('invalidParams', 'backupChanged')
  assertKnown(contents.output.version)
  // An odd section counts as one item that cannot be read.
  const sections = contents.output.sections.map(one => (v.is(Section, one) ? one : { name: '', items: [one] }))
  const count = sections.reduce((sum, { items }) => sum + items.length, 0)
  if (count > MAX_ITEMS) throw rpcError('limitExceeded', 'backupTooMany', { limit: MAX_ITEMS })
  return { ...contents.output, sections }
}

/** Seals a backup with a password, and returns the file's text. */
export const sealBackup = async (backup: RawBackup, password: string, cost: KdfCost): Promise<string> => {
  const kdf = newKdf(cost)
  const key = await deriveKey(password, kdf)
  try {
    const { wallet, savedAt, sections } = backup
    const sealed = sealVault({ version: BACKUP_VERSION, wallet, savedAt, sections }, key, kdf, 'backup')
    return JSON.stringify({ heliograph: 'backup', version: BACKUP_VERSION, sealed })
  } finally {
    key.fill(0)
  }
}

/** Returns a file's name, with the day in UTC. */
export const backupName = (now: number): string => `heliograph-backup-${new Date(now).toISOString().slice(0, 10)}.json`
