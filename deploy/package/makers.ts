/** Makes the published files except the image. */
import type { Artefact, Package } from './archives.ts'
import { extensionPackages } from './extension.ts'
import type { Kind } from './kinds.ts'
import { libraryPackages } from './libraries.ts'
import { lock } from './lock.ts'
import { sbom } from './sbom.ts'
import { serverPackages } from './servers.ts'

const MAKERS: Readonly<Record<Kind, () => Promise<readonly Package[]>>> = {
  extension: extensionPackages,
  libraries: libraryPackages,
  servers: serverPackages,
}

/** Returns each package's archive and its bill of materials. */
export const artefactsOf = (packages: readonly Package[]): Artefact[] =>
  packages.flatMap(made => [made.archive, sbom(made, lock)])

/** Makes the packages of these kinds from the sources of this checkout. */
export const makePackages = async (kinds: readonly Kind[]): Promise<Artefact[]> => {
  const packages: Package[] = []
  for (const kind of kinds) packages.push(...(await MAKERS[kind]()))
  return artefactsOf(packages)
}
