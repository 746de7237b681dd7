import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import { expect, test } from 'vitest'
import { configOf } from './config.ts'
import { archiveOf, layerOf } from './oci.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const entries = [
  { name: 'usr/bin/program', data: bytes('#!'), attrs: { mode: '755' } },
  { name: 'data/', attrs: { mode: '700', uid: 1000, gid: 1000 } },
  { name: 'data/file', data: new Uint8Array(), attrs: { mode: '644' } },
]
const config = configOf('1.2.3')
const imageOf = (...layers: ReturnType<typeof layerOf>[]) =>
  archiveOf({ architecture: 'arm64', name: 'name:1.2.3', layers, config })
const filesIn = (archive: Uint8Array) => new Map(parseTar(archive).map(({ name, data }) => [name, data]))
const json = (data: Uint8Array | undefined) => JSON.parse(Buffer.from(data ?? '').toString())

test('a layer has each folder once, before its files, with the attributes that are listed', () => {
  const files = parseTar(new Uint8Array(gunzipSync(layerOf('files', entries).blob)))
  expect(files.map(({ name, type, attrs }) => [name, type, attrs?.mode?.slice(-3), attrs?.uid])).toEqual([
    // The user ID is 1000, octal 1750. The parser reads the octal digits as a decimal number.
    ['data/', 'directory', '700', 1750],
    ['data/file', 'file', '644', 0],
    ['usr/', 'directory', '755', 0],
    ['usr/bin/', 'directory', '755', 0],
    ['usr/bin/program', 'file', '755', 0],
  ])
})

test('the order of the entries does not change a layer, which names the digest of its uncompressed archive', () => {
  const layer = layerOf('files', entries)
  expect(layerOf('files', entries.toReversed())).toEqual(layer)
  const digest = createHash('sha256').update(gunzipSync(layer.blob)).digest('hex')
  expect(layer.diffId).toBe(`sha256:${digest}`)
})

test('the index leads to the configuration and the layers, and each blob is named after its digest', () => {
  const layers = [layerOf('first', entries), layerOf('second', entries.slice(0, 1))]
  const { bytes, digest } = imageOf(...layers)
  const files = filesIn(bytes)
  const blobs = [...files].filter(([name]) => /^blobs\/sha256\/./.test(name))
  for (const [name, data] of blobs) {
    const digest = createHash('sha256')
      .update(data ?? '')
      .digest('hex')
    expect(name).toBe(`blobs/sha256/${digest}`)
  }
  const blob = ({ digest }: { digest: string }) => files.get(`blobs/${digest.replace(':', '/')}`)
  expect(json(files.get('oci-layout'))).toEqual({ imageLayoutVersion: '1.0.0' })
  const { manifests } = json(files.get('index.json'))
  expect(manifests).toHaveLength(1)
  expect(manifests[0].digest).toBe(digest)
  expect(manifests[0].platform).toEqual({ architecture: 'arm64', os: 'linux' })
  const manifest = json(blob(manifests[0]))
  expect(manifest.layers.map(blob)).toEqual(layers.map(({ blob }) => blob))
  expect(json(blob(manifest.config))).toMatchObject({
    architecture: 'arm64',
    config,
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
  })
})

test('the older manifest names the same blobs', () => {
  const files = filesIn(imageOf(layerOf('files', entries)).bytes)
  const [{ Config, RepoTags, Layers }] = json(files.get('manifest.json'))
  expect(RepoTags).toEqual(['name:1.2.3'])
  for (const path of [Config, ...Layers]) expect([...files.keys()]).toContain(path)
})
