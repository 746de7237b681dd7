/** Removal of browser profiles. */
import { rm } from 'node:fs/promises'

/**
 * Removes a browser's profile, or a folder in it or around it. Processes of a closed browser can still write for a moment, so
 * a folder that is not empty in the end is removed again, for up to 5 s.
 */
export const removeProfile = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
