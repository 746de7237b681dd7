/**
 * Runs programs of the image as a container engine does: unpacked, in a mount namespace of their own, with a root that is
 * read-only, as the image's user. The network and the processes are those of this machine.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseTar } from 'nanotar'
import { makeImage } from '../../deploy/image/image.ts'
import type { ContainerConfig } from '../../deploy/image/oci.ts'
import { programsIn } from './programs.ts'

type Descriptor = { digest: string; size: number }

/** Only the volume and /tmp are writable. The program replaces the shell, so signals reach it. */
const ENTER = `
set -e
root=$1 user=$2 volume=$3
shift 3
mount --bind "$root" "$root"
mount --bind "$volume" "$root/data"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" --groups= "$root" "$@"
`

/** Mounts need root. An ordinary user has that in a namespace, whose files can also belong to the image's user. */
const requireRoot = (): void => {
  if (process.getuid?.() === 0) return
  throw new Error('this test needs root: run it as root, or with `unshare --user --map-root-user --map-auto` before it')
}

/** The blobs of an image, each checked against its descriptor. */
const readLayout = (archive: Uint8Array) => {
  const files = new Map(parseTar(archive).map(({ name, data }) => [name, data ?? new Uint8Array()]))
  const json = (bytes: Uint8Array | undefined) => JSON.parse(Buffer.from(bytes ?? '').toString())
  const blob = ({ digest, size }: Descriptor): Uint8Array => {
    const bytes = files.get(`blobs/${digest.replace(':', '/')}`) ?? new Uint8Array()
    if (bytes.length !== size || `sha256:${createHash('sha256').update(bytes).digest('hex')}` !== digest)
      throw new Error(`${digest} is not in the image`)
    return bytes
  }
  const [described] = json(files.get('index.json')).manifests
  const { config, layers } = json(blob(described))
  return {
    config: json(blob(config)).config as ContainerConfig,
    layers: (layers as Descriptor[]).map(blob),
    digest: (described as Descriptor).digest,
  }
}

/** Makes the image and unpacks it. */
export const unpackImage = async () => {
  requireRoot()
  const artefacts = await makeImage()
  const { config, layers, digest } = readLayout(artefacts[0].bytes)
  const folder = mkdtempSync(join(tmpdir(), 'image-'))
  const root = join(folder, 'root')
  mkdirSync(root)
  for (const layer of layers)
    execFileSync('tar', ['--extract', '--gzip', '--numeric-owner', '--same-owner', '--same-permissions', '-C', root], {
      input: layer,
    })
  const [, uid, gid] =
    new RegExp(`^${config.User}:x:(\\d+):(\\d+):`, 'm').exec(readFileSync(join(root, 'etc/passwd'), 'utf8')) ?? []
  const env = Object.fromEntries(config.Env.map(line => line.split(/=(.*)/s).slice(0, 2)))
  const programs = programsIn(folder, env)

  /** A new volume takes the owner and the mode of the folder in the image. */
  const createVolume = (name: string): string => {
    const volume = join(folder, name)
    const { uid, gid, mode } = statSync(join(root, 'data'))
    mkdirSync(volume)
    chownSync(volume, uid, gid)
    chmodSync(volume, mode)
    return volume
  }

  const argsIn = (volume: string, args: readonly string[]): string[] => [
    ...['--mount', 'sh', '-c', ENTER, 'sh', root, `${uid}:${gid}`, volume],
    ...args,
  ]

  return {
    folder,
    root,
    config,
    /** The archive and its bill of materials. */
    artefacts,
    /** The digest of the manifest. */
    digest,
    createVolume,
    /** Runs a command in a container with this volume. */
    run: (volume: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      programs.run('unshare', argsIn(volume, args), more),
    serve: (volume: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      programs.serve('unshare', argsIn(volume, args), more),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export type Container = Awaited<ReturnType<typeof unpackImage>>
