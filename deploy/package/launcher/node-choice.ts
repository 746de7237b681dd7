/** Chooses the folder for the fallback Node, which the launcher downloads if the running version does not fit. */
import { accessSync, constants, existsSync, lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { FALLBACK_NODE, fallbackNodeIn, isExecutable, SetupError, USE_ANOTHER } from '../../../fallback-node.js'

export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** The user's home directory. */
  home: string
  /** The user's id, and the id of the user's primary group. */
  user: number
  group: number
}

const NAME = `node-${FALLBACK_NODE}`

/** Returns the cache folder: the systemd unit's if it has one, else the user's. */
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

const ROOT = 0
const GROUP_WRITES = 0o020
const OTHERS_WRITE = 0o002

type Owner = Pick<Surroundings, 'user' | 'group'>

/**
 * True if only root and the user can write to the file. The user's own group may write, because files allow that by
 * default on systems that give each user a group.
 */
const isOwn = ({ uid, gid, mode }: Stats, { user, group }: Owner): boolean =>
  (uid === user || uid === ROOT) && (mode & OTHERS_WRITE) === 0 && (gid === group || (mode & GROUP_WRITES) === 0)

/**
 * False if another user could put a program into the cache: HOME may be another user's folder, as under sudo. Checks
 * the existing paths from the cache to the program. The cache itself may be a symbolic link, as systemd makes it.
 */
const isSafe = (folder: string, owner: Owner): boolean => {
  const cache = dirname(folder)
  if (!existsSync(cache)) return true
  const top = realpathSync(cache)
  const program = fallbackNodeIn(join(top, NAME))
  const paths = [program]
  for (let path = program; path !== top; ) {
    path = dirname(path)
    paths.push(path)
  }
  return paths.every(path => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found === undefined || isOwn(found, owner)
  })
}

/**
 * Returns the folder in which the fallback Node is or should be installed: below the package, so that uninstalling
 * removes it, or in a cache if the package's folder is not writable. Checks only the cache for other users' write
 * access, because the package's folder is as safe as the running script in it. Throws SetupError if there is no safe
 * folder.
 */
export const nodeFolder = (packageFolder: string, surroundings: Surroundings): string => {
  const [own, cached] = [join(packageFolder, NAME), join(cacheOf(surroundings), NAME)]
  const safe = isSafe(cached, surroundings) ? [own, cached] : [own]
  const installed = safe.find(folder => isExecutable(fallbackNodeIn(folder)))
  const chosen = installed ?? (isWritable(packageFolder) ? own : safe[1])
  if (chosen !== undefined) return chosen
  throw new SetupError(
    `another user can write to ${cached}, so Node is neither installed nor run there; remove it, or ${USE_ANOTHER}.`,
  )
}
