/** Simulates a crash by copying the store's files. */
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Copies the store's files to a new folder and returns its path. */
export const copyFolder = (folder: string): string => {
  const copy = mkdtempSync(join(tmpdir(), 'mailbox-'))
  for (const name of readdirSync(folder).filter(file => file.endsWith('.log')))
    copyFileSync(join(folder, name), join(copy, name))
  return copy
}
