/** What a process that ends now leaves behind. */
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Copies the store and what is written ahead to a folder of their own, whose path it returns. */
export const copyFolder = (folder: string): string => {
  const copy = mkdtempSync(join(tmpdir(), 'mailbox-'))
  const names = readdirSync(folder).filter(name => name === 'store.mdb' || name.endsWith('.ahead'))
  for (const name of names) copyFileSync(join(folder, name), join(copy, name))
  return copy
}
