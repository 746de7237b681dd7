/**
 * An image as one archive: the image layout of https://github.com/opencontainers/image-spec, version 1.1. The bytes depend on
 * the contents only.
 */
import { gzipSync } from 'fflate'
import { type TarEntry, tar } from '../package/archives.ts'
import { sha256 } from '../package/artefacts.ts'

/** Higher levels take twice the time and save a thousandth. */
const LEVEL = 6

const CREATED = '1970-01-01T00:00:00Z'

const MEDIA = 'application/vnd.oci.image'

export type Layer = {
  blob: Uint8Array
  /** Digest of the archive before compression. */
  diffId: string
  /** A few words about the contents, for the history of the image. */
  title: string
}

/** How a container is started. `Healthcheck` is an extension of Docker, which others ignore; its times are in nanoseconds. */
export type ContainerConfig = {
  User: string
  Env: readonly string[]
  Cmd: readonly string[]
  ExposedPorts: Readonly<Record<string, object>>
  Volumes: Readonly<Record<string, object>>
  Labels: Readonly<Record<string, string>>
  Healthcheck: { Test: readonly string[]; Interval: number; Timeout: number; StartPeriod: number }
}

export type Image = {
  /** GOARCH. */
  architecture: string
  /** Name and tag under which an engine loads it, e.g. `heliograph:0.1.0`. */
  name: string
  layers: readonly Layer[]
  config: ContainerConfig
}

const digestOf = (bytes: Uint8Array): string => `sha256:${sha256(bytes)}`
const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

/** Adds the folders of all paths, which end with `/`, before what is in them. Folders that are listed keep their attributes. */
const withFolders = (entries: readonly TarEntry[]): TarEntry[] => {
  const all = new Map(entries.map(entry => [entry.name, entry]))
  for (const { name } of entries)
    for (let end = name.indexOf('/'); end > 0; end = name.indexOf('/', end + 1)) {
      const folder = name.slice(0, end + 1)
      if (!all.has(folder)) all.set(folder, { name: folder, attrs: { mode: '755' } })
    }
  return [...all.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** A layer of these entries and the folders that they are in. Names of folders end with `/`. */
export const layerOf = (title: string, entries: readonly TarEntry[]): Layer => {
  const archive = tar(withFolders(entries))
  return { title, diffId: digestOf(archive), blob: gzipSync(archive, { level: LEVEL, mtime: 0 }) }
}

/**
 * The archive, and the digest of its manifest. `manifest.json` is beside the layout for engines that load the older format of `docker save`.
 */
export const archiveOf = ({ architecture, name, layers, config }: Image): { bytes: Uint8Array; digest: string } => {
  const files = new Map<string, Uint8Array>()
  const put = (mediaType: string, bytes: Uint8Array) => {
    const digest = digestOf(bytes)
    files.set(pathOf(digest), bytes)
    return { mediaType, digest, size: bytes.length }
  }
  const described = layers.map(({ blob }) => put(`${MEDIA}.layer.v1.tar+gzip`, blob))
  const settings = put(
    `${MEDIA}.config.v1+json`,
    json({
      created: CREATED,
      architecture,
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
      history: layers.map(({ title }) => ({ created: CREATED, created_by: title })),
    }),
  )
  const manifestType = `${MEDIA}.manifest.v1+json`
  const manifest = put(
    manifestType,
    json({ schemaVersion: 2, mediaType: manifestType, config: settings, layers: described }),
  )
  const annotations = {
    'io.containerd.image.name': `docker.io/library/${name}`,
    'org.opencontainers.image.ref.name': name.slice(name.indexOf(':') + 1),
  }
  const platform = { architecture, os: 'linux' }
  const mediaType = `${MEDIA}.index.v1+json`
  files.set('oci-layout', json({ imageLayoutVersion: '1.0.0' }))
  files.set('index.json', json({ schemaVersion: 2, mediaType, manifests: [{ ...manifest, platform, annotations }] }))
  const paths = described.map(({ digest }) => pathOf(digest))
  files.set('manifest.json', json([{ Config: pathOf(settings.digest), RepoTags: [name], Layers: paths }]))
  const bytes = tar(withFolders([...files].map(([path, data]) => ({ name: path, data, attrs: { mode: '644' } }))))
  return { bytes, digest: manifest.digest }
}

const pathOf = (digest: string): string => `blobs/${digest.replace(':', '/')}`
