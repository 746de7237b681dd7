/** Makes the servers' image from pinned Debian packages, a pinned version of Node, and the servers' packages. */
import { readFileSync } from 'node:fs'
import type { Artefact, Package } from '../package/archives.ts'
import { sha256 } from '../package/artefacts.ts'
import { billOf } from '../package/sbom.ts'
import { imagePart } from './bill.ts'
import { configOf } from './config.ts'
import { distributionEntries, nodeEntries, serverEntries } from './contents.ts'
import { filesOf } from './debian.ts'
import { distribution } from './distribution.ts'
import { nodeFiles } from './node.ts'
import { archiveOf, layerOf } from './oci.ts'
import { thisPlatform } from './platform.ts'

/** Maximum bytes of the image's archive. */
export const MAX_IMAGE = 64 * 1024 * 1024

const NAME = /-linux-(\w+)\.oci\.tar(?:\.cdx\.json)?$/

/** True for the name of an image or its bill of materials. Throws Error if only another architecture can make it. */
export const isOfImage = ({ name }: { name: string }): boolean => {
  const architecture = NAME.exec(name)?.[1]
  if (architecture !== undefined && architecture !== thisPlatform().architecture)
    throw new Error(`${name} can be made and compared only on Linux on ${architecture}`)
  return architecture !== undefined
}

/**
 * Makes the image with these server packages for this machine's architecture, and its bill of materials. Throws
 * RangeError if it is larger than MAX_IMAGE.
 */
export const makeImage = async (servers: readonly Package[]): Promise<[image: Artefact, bill: Artefact]> => {
  const platform = thisPlatform()
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const libraries = await Promise.all(distribution.map(pinned => filesOf(pinned, platform)))
  const layers = [
    layerOf('libraries of Debian 12', distributionEntries(new Map(libraries.flatMap(files => [...files])))),
    layerOf('Node', nodeEntries(await nodeFiles(platform))),
    layerOf(
      'the relay and the bridge',
      servers.flatMap(made => serverEntries(made, platform)),
    ),
  ]
  const { architecture } = platform
  const { bytes, digest } = archiveOf({
    architecture,
    name: `heliograph:${version}`,
    layers,
    config: configOf(version),
  })
  if (bytes.length > MAX_IMAGE) throw new RangeError(`the image has ${bytes.length} bytes, more than ${MAX_IMAGE}`)
  const image = { name: `heliograph-${version}-linux-${architecture}.oci.tar`, bytes }
  return [image, billOf(image, imagePart(digest, sha256(bytes), platform, servers))]
}
