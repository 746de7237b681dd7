/**
 * Marks the data folder of a server that stores in Redis. The mark is a file, for commands that run without the
 * server's settings.
 */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder, writeDurably } from './backup.ts'
import { reasonOf } from './disk-room.ts'

const FILE = 'stores-in-redis'

/**
 * True if the server that last used the folder stores in Redis. The folder then contains little more than its uptime.
 */
export const isOnRedis = (folder: string): boolean => existsSync(join(folder, FILE))

/** Marks the folder of a server that stores in Redis, or removes the mark. Throws an error that names the folder. */
export const markRedis = (folder: string, storesInRedis: boolean): void => {
  if (storesInRedis === isOnRedis(folder)) return
  try {
    if (storesInRedis) writeDurably(join(folder, FILE), Buffer.of())
    else rmSync(join(folder, FILE))
    syncFolder(folder)
  } catch (thrown) {
    throw new Error(`the data folder ${folder} cannot be used: ${reasonOf(thrown)}`)
  }
}
