import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect, test } from 'vitest'
import { FALLBACK_NODE, FALLBACK_PACKAGE } from '../../fallback-node.js'
import type { Package } from '../package/archives.ts'
import { sha256 } from '../package/artefacts.ts'
import { billOf } from '../package/sbom.ts'
import { imagePart } from './bill.ts'
import { distribution } from './distribution.ts'
import { thisPlatform } from './platform.ts'

const platform = thisPlatform()
const { architecture } = platform
const file = { name: `heliograph-1.2.3-linux-${architecture}.oci.tar`, bytes: new Uint8Array([1, 2, 3]) }
const digest = `sha256:${'ab'.repeat(32)}`

const server = (kind: string, ...packages: string[]): Package => ({
  archive: { name: `heliograph-${kind}-1.2.3.tgz`, bytes: Buffer.from(kind) },
  packages: packages.map(name => `node_modules/${name}`),
})
const servers = [server('relay', 'pino', 'valibot'), server('bridge', 'pino')]
const written = (): string =>
  new TextDecoder().decode(billOf(file, imagePart(digest, sha256(file.bytes), platform, servers)).bytes)

type Component = { purl: string; type: string; name: string; version: string; hashes: { content: string }[] }

const { metadata, components, dependencies } = JSON.parse(written())
const find = (start: string): Component => components.find(({ purl }: Component) => purl.startsWith(start))

test('the bill of the image follows the schema, is the same each time, and names the image by both of its hashes', async () => {
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(written())).toBeNull()
  expect(written()).toBe(written())
  expect(metadata.component).toMatchObject({
    type: 'container',
    name: 'heliograph',
    hashes: [{ alg: 'SHA-256', content: sha256(file.bytes) }],
    purl: expect.stringContaining(`pkg:oci/heliograph@${digest}?arch=${architecture}&tag=`),
  })
})

test('each Debian package has its pinned version and the hash of its archive', () => {
  for (const { name, version, sha256, licence } of distribution)
    expect(find(`pkg:deb/debian/${encodeURIComponent(name)}@`)).toMatchObject({
      name,
      version,
      purl: `pkg:deb/debian/${encodeURIComponent(name)}@${version}?arch=${architecture}&distro=debian-12`,
      licenses: [{ expression: licence }],
      hashes: [{ alg: 'SHA-256', content: sha256[architecture] }],
    })
})

test('Node has the pinned version, and the CPE name under which its vulnerabilities are listed', () => {
  const node = find('pkg:npm/node-')
  const hash = Buffer.from(FALLBACK_PACKAGE?.hash.replace('sha512-', '') ?? '', 'base64').toString('hex')
  expect(node).toMatchObject({
    type: 'platform',
    version: FALLBACK_NODE,
    cpe: `cpe:2.3:a:nodejs:node.js:${FALLBACK_NODE}:*:*:*:*:*:*:*`,
    hashes: [{ alg: 'SHA-512', content: hash }],
  })
})

test('the servers have the hashes of their archives, and depend on their packages, each of which is listed once', () => {
  const refs = (start: string): string[] =>
    dependencies.find(({ ref }: { ref: string }) => ref.startsWith(start)).dependsOn
  for (const { archive } of servers)
    expect(find(`pkg:npm/${archive.name.slice(0, -'-1.2.3.tgz'.length)}@`)).toMatchObject({
      type: 'application',
      hashes: [{ alg: 'SHA-256', content: sha256(archive.bytes) }],
    })
  const [pino, valibot] = [find('pkg:npm/pino@').purl, find('pkg:npm/valibot@').purl]
  expect(refs('pkg:npm/heliograph-relay@')).toEqual([pino, valibot])
  expect(refs('pkg:npm/heliograph-bridge@')).toEqual([pino])
  expect(refs('pkg:oci/heliograph@')).toHaveLength(distribution.length + 1 + servers.length)
  expect(components).toHaveLength(distribution.length + 1 + servers.length + 2)
})
