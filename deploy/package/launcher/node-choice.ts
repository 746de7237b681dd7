/** Chooses the folder of the Node that the launcher downloads if the running one does not fit. */
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { FALLBACK_NODE, fallbackNodeIn, isExecutable } from '../../../fallback-node.js'

export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** The user's home directory. */
  home: string
}

const NAME = `node-${FALLBACK_NODE}`

/** The folder for data that can be fetched again: of the systemd unit, else of the user. */
const cacheOf = ({ env, platform, home }: Surroundings): string => {
  if (env.CACHE_DIRECTORY) return env.CACHE_DIRECTORY
  const caches = platform === 'darwin' ? join(home, 'Library/Caches') : env.XDG_CACHE_HOME || join(home, '.cache')
  return join(caches, 'heliograph')
}

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The folder in which the fallback Node is, or else should be installed: below the package, so that uninstalling removes
 * it, or in a cache if the package belongs to somebody else.
 */
export const nodeFolder = (packageFolder: string, surroundings: Surroundings): string => {
  const [own, cached] = [join(packageFolder, NAME), join(cacheOf(surroundings), NAME)]
  const installed = [own, cached].find(folder => isExecutable(fallbackNodeIn(folder)))
  return installed ?? (isWritable(packageFolder) ? own : cached)
}
