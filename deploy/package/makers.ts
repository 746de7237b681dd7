/** Makes all published files except the image. */
import type { Artefact, Package } from './archives.ts'
import { extensionPackages } from './extension.ts'
import { libraryPackages } from './libraries.ts'
import { lock } from './lock.ts'
import { sbom } from './sbom.ts'
import { serverPackages } from './servers.ts'

const makers: readonly (() => Promise<readonly Package[]>)[] = [extensionPackages, libraryPackages, serverPackages]

/** Makes each archive from the sources of this checkout, and its bill of materials. */
export const makeAll = async (): Promise<Artefact[]> => {
  const packages: Package[] = []
  for (const make of makers) packages.push(...(await make()))
  return packages.flatMap(made => [made.archive, sbom(made, lock)])
}
