/**
 * Runs programs in a mount namespace with their own root folder. The mounts are removed when the last program exits.
 * Network and processes are shared with this machine.
 */
import { execFileSync } from 'node:child_process'
import { programsIn } from './programs.ts'

type Words = readonly string[]

export type Place = {
  root: string
  /** The user as `uid:gid`. */
  user: string
  /** Arguments of additional `mount` calls. */
  mounts?: readonly Words[]
}

const quoted = (words: Words): string => words.map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')

/** Returns the arguments of `unshare`. The program replaces the shell, so that signals reach it. */
const entering = ({ root, user, mounts = [] }: Place, args: Words): string[] => {
  const all = [
    ['--bind', root, root],
    ['--rbind', '/dev', `${root}/dev`],
    ['--rbind', '/proc', `${root}/proc`],
    ...mounts,
  ]
  const enter = quoted(['chroot', `--userspec=${user}`, '--groups=', root])
  const script = ['set -e', ...all.map(words => `mount ${quoted(words)}`), `exec ${enter} "$@"`].join('\n')
  return ['--mount', 'sh', '-c', script, 'sh', ...args]
}

/** Runs programs with this environment, and with nothing from this process's environment. */
export const programsInRoot = (folder: string, env: Readonly<Record<string, string>>) => {
  const programs = programsIn(folder, env)
  return {
    run: (place: Place, args: Words, more: Readonly<Record<string, string>> = {}) =>
      programs.run('unshare', entering(place, args), more),
    serve: (place: Place, args: Words, more: Readonly<Record<string, string>> = {}) =>
      programs.serve('unshare', entering(place, args), more),
  }
}

/**
 * Throws unless this process may mount. An unprivileged user can, as root of a user namespace that also maps other
 * users.
 */
export const requireRoot = (): void => {
  if (process.getuid?.() === 0) return
  throw new Error(
    'this test needs root: run it as root, or prefix the command with `unshare --user --map-root-user --map-auto`',
  )
}

/** Unpacks a compressed archive into a folder, with the owners and modes stored in it. */
export const unpack = (archive: Uint8Array, folder: string, ...flags: Words): void => {
  const kept = ['--numeric-owner', '--same-owner', '--same-permissions']
  execFileSync('tar', ['--extract', '--gzip', ...kept, ...flags, '-C', folder], { input: archive })
}
