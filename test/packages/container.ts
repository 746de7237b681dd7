/** Runs programs of the image as a container engine does: unpacked, with a read-only root, as the image's user. */
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseTar } from 'nanotar'
import type { ContainerConfig } from '../../deploy/image/oci.ts'
import { madeImage } from './made.ts'
import { type Place, programsInRoot, requireRoot, unpack } from './own-root.ts'

type Descriptor = { digest: string; size: number }

/** Reads the blobs of an image, and checks each against its descriptor. */
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

/** Unpacks the image. */
export const unpackImage = async () => {
  requireRoot()
  const [archive, bill] = await madeImage()
  if (archive === undefined || bill === undefined) throw new Error('the image has no bill of materials')
  const { config, layers, digest } = readLayout(archive.bytes)
  const folder = mkdtempSync(join(tmpdir(), 'image-'))
  const root = join(folder, 'root')
  mkdirSync(root)
  for (const layer of layers) unpack(layer, root)
  const [, uid, gid] =
    new RegExp(`^${config.User}:x:(\\d+):(\\d+):`, 'm').exec(readFileSync(join(root, 'etc/passwd'), 'utf8')) ?? []
  const env = Object.fromEntries(config.Env.map(line => line.split(/=(.*)/s).slice(0, 2)))
  const programs = programsInRoot(folder, env)

  /** Creates a volume. As in a container engine, it gets the owner and the mode of the folder in the image. */
  const createVolume = (name: string): string => {
    const volume = join(folder, name)
    const { uid, gid, mode } = statSync(join(root, 'data'))
    mkdirSync(volume)
    chownSync(volume, uid, gid)
    chmodSync(volume, mode)
    return volume
  }

  /** Returns a container in which only the volume and /tmp are writable. */
  const placeWith = (volume: string): Place => ({
    root,
    user: `${uid}:${gid}`,
    mounts: [
      ['--bind', volume, `${root}/data`],
      ['-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', `${root}/tmp`],
      ['-o', 'remount,bind,ro', root],
    ],
  })

  return {
    folder,
    root,
    config,
    archive,
    bill,
    /** The manifest's digest. */
    digest,
    createVolume,
    /** Runs a command in a container with this volume. */
    run: (volume: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      programs.run(placeWith(volume), args, more),
    serve: (volume: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      programs.serve(placeWith(volume), args, more),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export type Container = Awaited<ReturnType<typeof unpackImage>>
