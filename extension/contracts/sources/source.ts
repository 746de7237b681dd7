/** What a source of the catalogue is. */
import type { Entry } from '../entries.ts'
import type { PackageFiles, PackageVersion } from '../packages.ts'

/** A published package and the function that reads addresses in its files. */
export interface Source extends PackageVersion {
  readonly read: (files: PackageFiles) => Promise<readonly Entry[]>
}
