/** Downloads for the image, kept in .runtime/image. Their users check the hash each time. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../.runtime/image/', import.meta.url))

/**
 * Path of a file in the cache. If it is not there, `download` writes it to the folder that it gets and returns its path. The
 * file appears when it is complete, so that processes that run together do not disturb each other.
 */
export const cached = async (name: string, download: (folder: string) => Promise<string>): Promise<string> => {
  const path = join(FOLDER, name)
  if (existsSync(path)) return path
  mkdirSync(FOLDER, { recursive: true })
  const draft = mkdtempSync(join(FOLDER, 'draft-'))
  try {
    renameSync(await download(draft), path)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return path
}
