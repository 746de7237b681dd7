/** Makes the tar entries of the image's three layers. */
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import type { Contents, Package, TarEntry } from '../package/archives.ts'
import { titleOf } from '../package/artefacts.ts'
import { DATA, SERVERS, USER } from './config.ts'
import type { Platform } from './platform.ts'

const text = (words: string): Uint8Array => Buffer.from(words)
const inTar = (path: string): string => path.slice(1)
const folder = (path: string, attrs: TarEntry['attrs']): TarEntry => ({ name: `${inTar(path)}/`, attrs })
const file = (path: string, data: Uint8Array, mode = '644'): TarEntry => ({ name: inTar(path), data, attrs: { mode } })

const { name: user, uid, gid } = USER

const USERS = `root:x:0:0:root:/root:/sbin/nologin
${user}:x:${uid}:${gid}:${user}:/nonexistent:/sbin/nologin
`
const GROUPS = `root:x:0:
${user}:x:${gid}:
`

/**
 * Returns entries of the first layer: files for users and name resolution, the folders that every container has, the
 * data folder, and the libraries, which are executable.
 */
export const distributionEntries = (libraries: Contents): TarEntry[] => [
  file('/etc/passwd', text(USERS)),
  file('/etc/group', text(GROUPS)),
  file('/etc/nsswitch.conf', text('passwd: files\ngroup: files\nhosts: files dns\n')),
  ...['/dev', '/proc', '/sys'].map(path => folder(path, { mode: '755' })),
  folder('/tmp', { mode: '1777' }),
  folder(DATA, { mode: '700', uid, gid }),
  ...[...libraries].map(([name, data]) => ({ name, data, attrs: { mode: name.includes('.so') ? '755' : '644' } })),
]

export const nodeEntries = (files: Contents): TarEntry[] =>
  [...files].map(([name, data]) => ({ name, data, attrs: { mode: name.includes('/bin/') ? '755' : '644' } }))

/**
 * Returns the script of a command. Its first line contains the path of Node, because the image has no shell and no
 * `env`.
 */
const commandOf = (script: string): Uint8Array => text(`#!/usr/local/bin/node\nimport('${script}')\n`)

/**
 * Returns a server's package as npm would install it, but with the native code of one platform only, and its command.
 */
export const serverEntries = ({ archive }: Package, { native }: Platform): TarEntry[] => {
  const server = titleOf(archive)
  const home = `${SERVERS}/lib/node_modules/${server}`
  const packed = parseTar(new Uint8Array(gunzipSync(archive.bytes))).filter(
    ({ name }) => !name.endsWith('.node') || name.endsWith(`/${native}`),
  )
  return [
    ...packed.map(({ name, data = new Uint8Array() }) => file(name.replace(/^package/, home), data)),
    file(`${SERVERS}/bin/${server}`, commandOf(`${home}/${server}.js`), '755'),
  ]
}
