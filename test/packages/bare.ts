/** A root folder with one Node release, what it needs, a shell and `env`, to test the server packages in. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { filesOf } from '../../deploy/image/debian.ts'
import { distribution, type Pinned } from '../../deploy/image/distribution.ts'
import { archivePath } from '../../deploy/image/npm.ts'
import { thisPlatform } from '../../deploy/image/platform.ts'
import type { Artefact } from '../../deploy/package/archives.ts'
import { FALLBACK_NODE, FALLBACK_PACKAGE, type PinnedPackage } from '../../fallback-node.js'
import { programsInRoot, requireRoot, unpack } from './own-root.ts'

/** A Node release: each Node version includes one npm version. */
export type Release = { node: PinnedPackage; npm: PinnedPackage }

const NODE_20_HASHES: Readonly<Record<string, string>> = {
  x64: 'sha512-HzVYgEgabV/n3nP2F9mcxS0Nxgg99jynX9CMovakLmSYTuTdQRbbtw0yadY8+qKcqXfiDAtb2hmtR7nDPzclGA==',
  arm64: 'sha512-kT7jX7frbsrMrXMsBaFt3Th1SWs5VjxTzd0U8vxcmdCFkaqeu5hFK0+QoYfIo5drmr3DmwJfLtO2gnD/7hNE/Q==',
}

if (!FALLBACK_PACKAGE) throw new Error(`there is no Node ${FALLBACK_NODE} for ${process.platform} on ${process.arch}`)

/** The oldest release that the packages support, and the release that they download. */
export const releases: readonly Release[] = [
  {
    node: { name: `node-linux-${process.arch}`, version: '20.19.0', hash: NODE_20_HASHES[process.arch] ?? '' },
    npm: {
      name: 'npm',
      version: '10.8.2',
      hash: 'sha512-x/AIjFIKRllrhcb48dqUNAAZl0ig9+qMuN91RpZo3Cb2+zuibfh+KISl6+kVVyktDz230JKc208UkQwwMqyB+w==',
    },
  },
  {
    node: FALLBACK_PACKAGE,
    npm: {
      name: 'npm',
      version: '10.9.9',
      hash: 'sha512-1g+6jLQvaIuB4zwvHL7yrXuXcWZwDsCtBX8bbWDqbvJSSr9nPiDDWTHNgwXR27iIcTTW7v3A57hDW9RYv2W4Yg==',
    },
  },
]

/**
 * Busybox: one program that needs no libraries. It acts as a shell or as `env`, depending on the name under which it is
 * called.
 */
const busybox: Pinned = {
  name: 'busybox-static',
  version: '1:1.35.0-4+deb12u1+b1',
  licence: 'GPL-2.0-only',
  sha256: {
    amd64: '3d3fdbe91d4660c873e14b092c213fe81c1da6362daa236eb25d0171eb108744',
    arm64: '732c9135564fc71337e0e05fb4da4d11e6c28c1834bce3e405e575afef2a52f5',
  },
  files: () => ({ 'bin/busybox': 'bin/busybox' }),
}

/** The users in the root, and their homes. The root has no /etc/passwd. */
export const users = {
  root: { id: 0, home: '/root' },
  person: { id: 1000, home: '/person' },
} as const
export type User = keyof typeof users

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const PROGRAM = 0o755
const PRIVATE = 0o700
const OPEN = 0o1777

/** Copies the release, what it needs, and the homes with these files into the folder. */
const fill = async (root: string, { node, npm }: Release, files: readonly Artefact[]): Promise<void> => {
  const create = (path: string): string => {
    mkdirSync(join(root, path), { recursive: true })
    return join(root, path)
  }
  const link = (path: string, target: string): void => symlinkSync(target, join(create(dirname(path)), basename(path)))

  const platform = thisPlatform()
  const packages = await Promise.all([
    ...distribution.map(pinned => filesOf(pinned, platform)),
    filesOf(busybox, platform, 'test/packages/bare.ts'),
  ])
  for (const [path, bytes] of packages.flatMap(contents => [...contents]))
    writeFileSync(join(create(dirname(path)), basename(path)), bytes, { mode: PROGRAM })
  link('bin/sh', 'busybox')
  link('usr/bin/env', '/bin/busybox')
  unpack(readFileSync(await archivePath(node)), create('usr/local'), '--strip-components=1')
  unpack(readFileSync(await archivePath(npm)), create('usr/local/lib/node_modules/npm'), '--strip-components=1')
  for (const name of ['npm', 'npx']) link(`usr/local/bin/${name}`, `../lib/node_modules/npm/bin/${name}-cli.js`)
  for (const path of ['dev', 'proc']) create(path)
  chmodSync(create('tmp'), OPEN)
  for (const { id, home } of Object.values(users)) {
    for (const { name, bytes } of files) writeFileSync(join(create(home), name), bytes)
    chownSync(join(root, home), id, id)
    chmodSync(join(root, home), PRIVATE)
  }
}

/** Creates the root, and copies the files into the homes of both users. */
export const makeBareRoot = async (release: Release, files: readonly Artefact[]) => {
  requireRoot()
  const folder = mkdtempSync(join(tmpdir(), 'bare-'))
  const root = join(folder, 'root')
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    await fill(root, release, files)
  } catch (thrown) {
    remove()
    throw thrown
  }
  const { run, serve } = programsInRoot(folder, { PATH })
  /** Returns a command that runs as in a shell in the user's home. */
  const inHome = (user: User, words: readonly string[]) => {
    const { id, home } = users[user]
    const place = { root, user: `${id}:${id}` }
    return [place, ['sh', '-c', 'cd && exec "$@"', 'sh', ...words], { HOME: home }] as const
  }

  return {
    folder,
    root,
    run: (user: User, ...words: readonly string[]) => run(...inHome(user, words)),
    serve: (user: User, ...words: readonly string[]) => serve(...inHome(user, words)),
    remove,
  }
}

export type BareRoot = Awaited<ReturnType<typeof makeBareRoot>>
