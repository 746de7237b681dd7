/**
 * A bill of materials of a published file, as CycloneDX 1.6: https://cyclonedx.org/docs/1.6/json/. It depends on the file and
 * on package-lock.json only, and therefore contains no time and no serial number.
 */
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { PackageURL } from 'packageurl-js'
import type { Artefact, Package } from './archives.ts'
import { sha256, titleOf } from './artefacts.ts'

/** The used part of an entry of package-lock.json, and of package.json. */
export type LockEntry = { name?: string; version?: string; license?: string; integrity?: string }

/** `packages` of package-lock.json: an entry by its path, e.g. `node_modules/valibot`; the path '' is the repository. */
export type Lock = Readonly<Record<string, LockEntry>>

/** A path up to the folder of a package, the innermost one. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const SRI = /^sha512-(.+)$/

/** Folders of the packages that hold these modules. Modules of the repository itself are in none. */
export const foldersOf = (modules: Iterable<string>): ReadonlySet<string> =>
  new Set([...modules].flatMap(path => PACKAGE.exec(path)?.[0] ?? []))

/** The ends of a path, the longest first: `a/b/c`, `b/c`, `c`. */
const endsOf = (path: string): string[] => {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(index).join('/'))
}

/**
 * Paths in the lock file of the packages that hold these modules, in order. `modules` are absolute paths; those of the
 * repository itself are in no package. Throws Error for a package that the lock file does not have.
 */
export const packagesOf = (modules: Iterable<string>, lock: Lock): string[] => {
  const paths = [...foldersOf(modules)].map(folder => {
    const found = endsOf(folder).find(end => lock[end] !== undefined)
    if (found === undefined) throw new Error(`package-lock.json has no entry for ${folder}`)
    return found
  })
  return [...new Set(paths)].toSorted()
}

const component = (type: Enums.ComponentType, path: string, entry: LockEntry): Models.Component => {
  // An alias has the name of its package in the entry.
  const full = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const [name = '', group] = full.split('/').toReversed()
  const { version, license, integrity } = entry
  if (version === undefined || license === undefined) throw new Error(`${full} has no version or no licence`)
  const purl = new PackageURL('npm', group ?? null, name, version, null, null).toString()
  const made = new Models.Component(type, name, {
    ...(group !== undefined && { group }),
    version,
    purl,
    bomRef: purl,
  })
  made.licenses.add(new Models.LicenseExpression(license))
  const hash = SRI.exec(integrity ?? '')?.[1]
  if (hash !== undefined) made.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(hash, 'base64').toString('hex'))
  return made
}

/**
 * The bill of materials of a package: its archive with its SHA-256, and each npm package in it or needed by it, with the hash
 * of that one's archive. Throws Error if the lock file lacks one.
 */
export const sbom = ({ archive, packages }: Package, lock: Lock): Artefact => {
  const subject = component(Enums.ComponentType.Application, '', { ...lock[''], name: titleOf(archive) })
  subject.hashes.set(Enums.HashAlgorithm['SHA-256'], sha256(archive.bytes))
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: subject }) })
  for (const path of packages) {
    const entry = lock[path]
    if (entry === undefined) throw new Error(`package-lock.json has no entry ${path}`)
    const part = component(Enums.ComponentType.Library, path, entry)
    bom.components.add(part)
    subject.dependencies.add(part.bomRef)
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  const text = serializer.serialize(bom, { sortLists: true, space: 2 })
  return { name: `${archive.name}.cdx.json`, bytes: new TextEncoder().encode(`${text}\n`) }
}
