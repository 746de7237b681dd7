/** Backup files of each version of the format, and what is in them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupItem } from '../../extension/src/messages.ts'

export type BackupFixture = {
  /** The version of the format. */
  version: number
  password: string
  /** The text of the file. */
  file: string
  entries: readonly BackupItem[]
}

export const BACKUPS = join(import.meta.dirname, 'backups')

/** Returns the fixtures of all versions, oldest first. */
export const backupFixtures = (): BackupFixture[] =>
  readdirSync(BACKUPS)
    .map((name): BackupFixture => JSON.parse(readFileSync(join(BACKUPS, name), 'utf8')))
    .toSorted((one, other) => one.version - other.version)
