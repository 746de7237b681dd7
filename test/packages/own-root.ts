/**
 * Runs programs in a mount namespace, with a root folder of their own. Their mounts end with the last of them. The network
 * and the processes are those of this machine.
 */
import { execFileSync } from 'node:child_process'
import { programsIn } from './programs.ts'

type Words = readonly string[]

export type Place = {
  root: string
  /** `uid:gid` */
  user: string
  /** Arguments of further calls of `mount`. */
  mounts?: readonly Words[]
}

const quoted = (words: Words): string => words.map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')

/** Arguments of `unshare`. The program replaces the shell, so signals reach it. */
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

/** Programs that get this environment, and nothing of this process's. */
export const programsInRoot = (folder: string, env: Readonly<Record<string, string>>) => {
  const programs = programsIn(folder, env)
  return {
    run: (place: Place, args: Words, more: Readonly<Record<string, string>> = {}) =>
      programs.run('unshare', entering(place, args), more),
    serve: (place: Place, args: Words, more: Readonly<Record<string, string>> = {}) =>
      programs.serve('unshare', entering(place, args), more),
  }
}

/** Mounts need root. An ordinary user has that in a namespace, whose files can also belong to the programs' user. */
export const requireRoot = (): void => {
  if (process.getuid?.() === 0) return
  throw new Error('this test needs root: run it as root, or with `unshare --user --map-root-user --map-auto` before it')
}

/** Unpacks a compressed archive into a folder, with the owners and modes in it. */
export const unpack = (archive: Uint8Array, folder: string, ...flags: Words): void => {
  const kept = ['--numeric-owner', '--same-owner', '--same-permissions']
  execFileSync('tar', ['--extract', '--gzip', ...kept, ...flags, '-C', folder], { input: archive })
}
