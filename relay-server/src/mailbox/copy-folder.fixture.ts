/** Simulates a crash by copying the store's files. */
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Copies a file unless it is gone. A thread may remove a log segment after the folder was listed, as it may before a
 * crash.
 */
const copyIfPresent = (from: string, to: string): void => {
  try {
    copyFileSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Copies the store's files to a new folder and returns its path. */
export const copyFolder = (folder: string): string => {
  const copy = mkdtempSync(join(tmpdir(), 'mailbox-'))
  for (const name of readdirSync(folder).filter(file => file.endsWith('.log')))
    copyIfPresent(join(folder, name), join(copy, name))
  return copy
}
