/** Everything that is published, in the order in which it is made. */
import type { Artefact } from './archives.ts'
import { extensionArchives } from './extension.ts'
import { makeLibraries } from './libraries.ts'
import { serverPackages } from './servers.ts'

const makers: readonly (() => Promise<readonly Artefact[]>)[] = [extensionArchives, makeLibraries, serverPackages]

/** Makes everything from the sources of this checkout. */
export const makeAll = async (): Promise<Artefact[]> => {
  const artefacts: Artefact[] = []
  for (const make of makers) artefacts.push(...(await make()))
  return artefacts
}
