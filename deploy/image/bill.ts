/** Describes the image for its bill of materials: its Debian packages, Node, and the servers' packages. */
import { PackageURL } from 'packageurl-js'
import type { PinnedPackage } from '../../fallback-node.js'
import type { Package } from '../package/archives.ts'
import { lock } from '../package/lock.ts'
import { npmPart, type Part, partOf } from '../package/sbom.ts'
import { distribution, type Pinned } from './distribution.ts'
import { nodePackage } from './node.ts'
import type { Platform } from './platform.ts'

const debianPart = ({ name, version, licence, sha256 }: Pinned, { architecture }: Platform): Part => ({
  type: 'library',
  name,
  version,
  licence,
  purl: new PackageURL('deb', 'debian', name, version, { arch: architecture, distro: 'debian-12' }, null),
  hash: { algorithm: 'SHA-256', value: sha256[architecture] },
  parts: [],
})

const nodePart = ({ name, version, hash }: PinnedPackage): Part => ({
  ...npmPart('', { name, version, license: 'MIT', integrity: hash }),
  type: 'platform',
  cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
})

/**
 * Returns the image with its parts. `digest` is the manifest's digest, by which a registry names the image, and `hash`
 * the archive's SHA-256 in hex.
 */
export const imagePart = (digest: string, hash: string, platform: Platform, servers: readonly Package[]): Part => {
  const { version = '', license = '' } = lock[''] ?? {}
  return {
    type: 'container',
    name: 'heliograph',
    version,
    licence: license,
    purl: new PackageURL('oci', null, 'heliograph', digest, { arch: platform.architecture, tag: version }, null),
    hash: { algorithm: 'SHA-256', value: hash },
    parts: [
      ...distribution.map(pinned => debianPart(pinned, platform)),
      nodePart(nodePackage(platform)),
      ...servers.map(made => partOf(made, lock)),
    ],
  }
}
