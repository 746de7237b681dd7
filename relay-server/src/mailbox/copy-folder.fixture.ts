/** What a process that ends now leaves behind. */
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Copies the files of the store to a folder of their own, whose path it returns. */
export const copyFolder = (folder: string): string => {
  const copy = mkdtempSync(join(tmpdir(), 'mailbox-'))
  for (const name of readdirSync(folder).filter(file => file.endsWith('.log')))
    copyFileSync(join(folder, name), join(copy, name))
  return copy
}
