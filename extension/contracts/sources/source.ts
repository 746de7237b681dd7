/** Type of a catalogue source. */
import type { Entry } from '../entries.ts'
import type { PackageFiles, PackageVersion } from '../packages.ts'

/** A published package, and the function that extracts contract entries from its files. */
export interface Source extends PackageVersion {
  readonly read: (files: PackageFiles) => Promise<readonly Entry[]>
}
