import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FALLBACK_NODE, fallbackNodeIn, installFallbackNode, placeNode, SetupError } from '../../../fallback-node.js'
import { nodeFolder } from './node-choice.ts'

const NAME = `node-${FALLBACK_NODE}`
/** A version of Node under which the tests do not run. */
const OTHER = '21.0.0'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'node-choice-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const around = (env: Record<string, string> = {}, platform: NodeJS.Platform = 'linux') => ({
  env,
  platform,
  home: join(folder, 'home'),
  user: process.getuid?.() ?? 0,
  group: process.getgid?.() ?? 0,
})

const putNode = (within: string): void => {
  const path = fallbackNodeIn(within)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  chmodSync(path, 0o755)
}

test('the fallback Node is installed in the folder of the package if it is writable', () => {
  expect(nodeFolder(folder, around())).toBe(join(folder, NAME))
})

// A missing folder stands for a folder that is not writable, because root may write to any existing folder.
const foreign = () => join(folder, 'foreign')

test.each([
  [{}, 'linux', 'home/.cache/heliograph'],
  [{}, 'darwin', 'home/Library/Caches/heliograph'],
  [{ XDG_CACHE_HOME: '/caches' }, 'linux', '/caches/heliograph'],
  [{ XDG_CACHE_HOME: '/caches', CACHE_DIRECTORY: '/var/cache/relay' }, 'linux', '/var/cache/relay'],
] as const)('otherwise it is installed in a cache folder: %j on %s', (env, platform, cache) => {
  const expected = cache.startsWith('/') ? cache : join(folder, cache)
  expect(nodeFolder(foreign(), around(env, platform))).toBe(join(expected, NAME))
})

test('an installed fallback Node is used, whether it is in the package or in the cache', () => {
  const cached = join(folder, 'home/.cache/heliograph', NAME)
  putNode(cached)
  expect(nodeFolder(folder, around())).toBe(cached)
  putNode(join(folder, NAME))
  expect(nodeFolder(folder, around())).toBe(join(folder, NAME))
})

describe('a Node in a cache that somebody else can write to', () => {
  const cache = (): string => join(folder, 'home/.cache/heliograph')
  const cached = (): string => join(cache(), NAME)
  const SOMEBODY = 1
  /** Makes a path belong to a user who is neither root nor the user whose id is returned. */
  const giveAway = (path: string): number => {
    if (process.getuid?.() === 0) chownSync(path, SOMEBODY, SOMEBODY)
    return statSync(path).uid + 1
  }
  beforeEach(() => putNode(cached()))

  test.each(['', NAME, `${NAME}/node_modules`])('is not used if the folder "%s" is writable for others', path => {
    chmodSync(join(cache(), path), 0o777)
    expect(nodeFolder(folder, around())).toBe(join(folder, NAME))
  })

  test.each([
    ['the cache', cache],
    ['its folder', cached],
    ['the program', () => fallbackNodeIn(cached())],
  ])('is not used if %s belongs to another user', (_, path) => {
    const user = giveAway(path())
    expect(nodeFolder(folder, { ...around(), user })).toBe(join(folder, NAME))
  })

  test('is not used if the folder is writable for a group other than the user’s primary group', () => {
    chmodSync(cached(), 0o775)
    const { gid } = statSync(cached())
    expect(nodeFolder(foreign(), { ...around(), group: gid })).toBe(cached())
    expect(nodeFolder(folder, { ...around(), group: gid + 1 })).toBe(join(folder, NAME))
  })

  test('is not used through a link within the cache', () => {
    renameSync(cached(), join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), cached())
    expect(nodeFolder(folder, around())).toBe(join(folder, NAME))
  })

  test('is an error if the folder of the package is not writable', () => {
    chmodSync(cached(), 0o777)
    expect(() => nodeFolder(foreign(), around())).toThrow(`another user can write to ${cached()}`)
  })

  test('a cache that is a link itself is used', () => {
    symlinkSync(cache(), join(folder, 'link'))
    const chosen = nodeFolder(foreign(), around({ CACHE_DIRECTORY: join(folder, 'link') }))
    expect(chosen).toBe(join(folder, 'link', NAME))
  })
})

/** Returns a function that acts like npm, whose `pack` writes an archive, and the list of the function's calls. */
const fakeNpm = (archive: string) => {
  const calls: string[][] = []
  const npm = async (...args: string[]): Promise<boolean> => {
    calls.push(args)
    const target = args[args.indexOf('--pack-destination') + 1] ?? ''
    const name = `node-${process.platform}-${process.arch}-${FALLBACK_NODE}.tgz`
    if (args[0] === 'pack') writeFileSync(join(target, name), archive)
    return true
  }
  return { calls, npm }
}

test('an installed Node is not downloaded again', async () => {
  const place = join(folder, NAME)
  putNode(place)
  const { calls, npm } = fakeNpm('')
  expect(await installFallbackNode(place, npm, OTHER)).toBe(fallbackNodeIn(place))
  expect(calls).toEqual([])
})

test('an archive with another hash is refused before it is unpacked, and nothing is left', async () => {
  const place = join(folder, NAME)
  const { calls, npm } = fakeNpm('something else')
  await expect(installFallbackNode(place, npm, OTHER)).rejects.toThrow('has the hash sha512-')
  expect(calls.map(([command]) => command)).toEqual(['pack'])
  expect([existsSync(place), readdirSync(folder)]).toEqual([false, []])
})

test('a failed download is one line that says which Node to use', async () => {
  const failed = installFallbackNode(join(folder, NAME), async () => false, OTHER)
  await expect(failed).rejects.toThrow(/^[^\n]* use Node 20 \(20\.19 or newer\) or Node 22\.$/)
  expect(readdirSync(folder)).toEqual([])
})

test('the running version is not downloaded', async () => {
  const { calls, npm } = fakeNpm('')
  const failed = installFallbackNode(join(folder, NAME), npm, FALLBACK_NODE)
  await expect(failed).rejects.toThrow(`Node ${FALLBACK_NODE} cannot run the servers' native code`)
  expect(calls).toEqual([])
})

test('a folder that cannot be created is one line that names it and says what to do', async () => {
  writeFileSync(join(folder, 'file'), '')
  const place = join(folder, 'file', NAME)
  const failed = installFallbackNode(place, async () => true, OTHER)
  await expect(failed).rejects.toThrow(SetupError)
  await expect(failed).rejects.toThrow(
    new RegExp(`^Node [^\\n]* cannot be installed in ${place}: E[^\\n]*; use Node [^\\n]* CacheDirectory=[^\\n]*\\.$`),
  )
})

test('a folder without Node is replaced, and a folder with Node is kept', () => {
  const [place, draft, late] = [join(folder, NAME), join(folder, 'draft'), join(folder, 'late')]
  mkdirSync(place)
  writeFileSync(join(place, 'left over'), '')
  putNode(draft)
  placeNode(draft, place)
  expect([existsSync(fallbackNodeIn(place)), existsSync(join(place, 'left over'))]).toEqual([true, false])
  putNode(late)
  writeFileSync(join(place, 'kept'), '')
  placeNode(late, place)
  expect(existsSync(join(place, 'kept'))).toBe(true)
})
