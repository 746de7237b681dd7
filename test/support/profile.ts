/** Removes browser profiles. */
import { rm } from 'node:fs/promises'

/**
 * Removes a browser's profile, or a folder in it or around it. Processes of a closed browser can keep writing for a
 * moment, so the removal is retried for up to 5 s while the folder is not empty.
 */
export const removeProfile = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
