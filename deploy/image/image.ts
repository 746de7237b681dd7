/** Makes the image of the servers from pinned packages of Debian, the pinned Node, and the packages of the servers. */
import { readFileSync } from 'node:fs'
import type { Artefact } from '../package/archives.ts'
import { serverPackages } from '../package/servers.ts'
import { configOf } from './config.ts'
import { distributionEntries, nodeEntries, serverEntries } from './contents.ts'
import { filesOf } from './debian.ts'
import { distribution } from './distribution.ts'
import { nodeFiles } from './node.ts'
import { archiveOf, layerOf } from './oci.ts'
import { thisPlatform } from './platform.ts'

/** The largest archive, in bytes. */
export const MAX_IMAGE = 64 * 1024 * 1024

/** Makes the image for this machine's architecture. Throws RangeError if it is larger than MAX_IMAGE. */
export const makeImage = async (): Promise<Artefact> => {
  const platform = thisPlatform()
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const libraries = await Promise.all(distribution.map(pinned => filesOf(pinned, platform)))
  const servers = (await serverPackages()).flatMap(made => serverEntries(made, platform))
  const layers = [
    layerOf('libraries of Debian 12', distributionEntries(new Map(libraries.flatMap(files => [...files])))),
    layerOf('Node', nodeEntries(await nodeFiles(platform))),
    layerOf('the relay and the bridge', servers),
  ]
  const { architecture } = platform
  const bytes = archiveOf({ architecture, name: `heliograph:${version}`, layers, config: configOf(version) })
  if (bytes.length > MAX_IMAGE) throw new RangeError(`the image has ${bytes.length} bytes, more than ${MAX_IMAGE}`)
  return { name: `heliograph-${version}-linux-${architecture}.oci.tar`, bytes }
}
