import fc from 'fast-check'
import { expect, test } from 'vitest'
import { configOf } from '../image/config.ts'
import { archiveOf, layerOf } from '../image/oci.ts'
import { type Artefact, type Contents, tgz, zip } from './archives.ts'
import { differences } from './compare.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const contents: Contents = new Map([
  ['manifest.json', bytes('{}')],
  ['worker.js', bytes('run()')],
])
const packers = [
  ['heliograph.zip', zip],
  ['heliograph.tgz', tgz],
] as const

const image = (contents: Contents): Uint8Array => {
  const entries = [...contents].map(([name, data]) => ({ name, data, attrs: { mode: '644' } }))
  const layers = [layerOf('files', entries)]
  return archiveOf({ architecture: 'amd64', name: 'name:1.2.3', layers, config: configOf('1.2.3') }).bytes
}

const packed = (name: string, pack: (contents: Contents) => Uint8Array, changed: Contents = contents): Artefact => ({
  name,
  bytes: pack(changed),
})

test.each(packers)('equal files have no differences: %s', (name, pack) => {
  expect(differences(packed(name, pack), packed(name, pack))).toEqual([])
})

test.each(packers)('files that were changed, added and removed are named: %s', (name, pack) => {
  const other = new Map([
    ['worker.js', bytes('steal()')],
    ['added.js', bytes('')],
  ])
  expect(differences(packed(name, pack, other), packed(name, pack))).toEqual([
    'added.js is not in this source',
    'manifest.json is missing',
    'worker.js differs',
  ])
})

test('the files in the layers of an image are compared, too', () => {
  const name = 'heliograph-linux-amd64.oci.tar'
  const made = packed(name, image)
  expect(differences(made, packed(name, image))).toEqual([])
  const other = new Map([...contents, ['worker.js', bytes('steal()')] as const])
  const lines = differences(packed(name, image, other), made)
  expect(lines.filter(line => !line.startsWith('blobs/'))).toEqual([
    'index.json differs',
    'manifest.json differs',
    'worker.js differs',
  ])
})

test.each([...packers, ['heliograph.oci.tar', image] as const])(
  'any changed byte is a difference: %s',
  (name, pack) => {
    const made = packed(name, pack)
    const change = fc.tuple(fc.nat(made.bytes.length - 1), fc.integer({ min: 1, max: 255 }))
    fc.assert(
      fc.property(change, ([at, by]) => {
        const changed = made.bytes.map((byte, index) => (index === at ? byte ^ by : byte))
        expect(differences({ name, bytes: changed }, made)).not.toEqual([])
      }),
    )
  },
)

test('a file that is not an archive is compared as a whole', () => {
  const made = { name: 'heliograph.cdx.json', bytes: bytes('{}') }
  expect(differences({ ...made, bytes: bytes('{ }') }, made)).toHaveLength(1)
})
