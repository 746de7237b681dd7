/** Chooses the folder of the Node that the launcher downloads if the running one does not fit. */
import { accessSync, constants, existsSync, lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { FALLBACK_NODE, fallbackNodeIn, isExecutable, SetupError, USE_ANOTHER } from '../../../fallback-node.js'

export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** The user's home directory. */
  home: string
  /** The user's number and that of the user's first group. */
  user: number
  group: number
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

const ROOT = 0
const GROUP_WRITES = 0o020
const OTHERS_WRITE = 0o002

type Owner = Pick<Surroundings, 'user' | 'group'>

/** On systems that give each user a group, files are writable for that group by default. */
const isOwn = ({ uid, gid, mode }: Stats, { user, group }: Owner): boolean =>
  (uid === user || uid === ROOT) && (mode & OTHERS_WRITE) === 0 && (gid === group || (mode & GROUP_WRITES) === 0)

/**
 * True unless another user could put a program there: by the paths that exist, from the cache to the program. HOME may be
 * that of somebody else, as below sudo. The cache itself may be a link, as those of systemd are.
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
 * The folder in which the fallback Node is, or else should be installed: below the package, so that uninstalling removes
 * it, or in a cache if the package belongs to somebody else. Only the cache is checked: the folder of the package is as safe
 * as the running script in it. Throws SetupError if there is none.
 */
export const nodeFolder = (packageFolder: string, surroundings: Surroundings): string => {
  const [own, cached] = [join(packageFolder, NAME), join(cacheOf(surroundings), NAME)]
  const safe = isSafe(cached, surroundings) ? [own, cached] : [own]
  const installed = safe.find(folder => isExecutable(fallbackNodeIn(folder)))
  const chosen = installed ?? (isWritable(packageFolder) ? own : safe[1])
  if (chosen !== undefined) return chosen
  throw new SetupError(
    `another user can write to ${cached}, so no Node is installed or run there; remove it, or ${USE_ANOTHER}.`,
  )
}
