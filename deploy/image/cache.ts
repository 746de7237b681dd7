/** Caches downloads for the image in .runtime/image. The callers check the hash of a cached file each time. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../.runtime/image/', import.meta.url))

/**
 * Returns the path of a file in the cache. If it is missing, `download` writes it into the given folder and returns its
 * path. The file appears in the cache only when it is complete, so that processes can download it at the same time.
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
