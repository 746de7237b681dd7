/**
 * Makes the bill of materials of a published file in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). It depends
 * only on the file and the pinned versions, so it contains no time and no serial number.
 */
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { PackageURL } from 'packageurl-js'
import type { Artefact, Package } from './archives.ts'
import { sha256, titleOf } from './artefacts.ts'
import { foldersOf } from './folders.ts'

/** The members of an entry of package-lock.json that are used here. */
export type LockEntry = { name?: string; version?: string; license?: string; integrity?: string }

/** `packages` of package-lock.json: entries by path, e.g. `node_modules/valibot`. The path '' is the repository. */
export type Lock = Readonly<Record<string, LockEntry>>

const SRI = /^sha512-(.+)$/

const TYPES = {
  application: Enums.ComponentType.Application,
  container: Enums.ComponentType.Container,
  library: Enums.ComponentType.Library,
  platform: Enums.ComponentType.Platform,
}

/** Returns the ends of a path, longest first: `a/b/c`, `b/c`, `c`. */
const endsOf = (path: string): string[] => {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(index).join('/'))
}

/**
 * Returns the lock file's paths of the packages that contain these modules, sorted. `modules` are absolute paths; the
 * repository's own modules are in no package. Throws Error if the lock file lacks a package.
 */
export const packagesOf = (modules: Iterable<string>, lock: Lock): string[] => {
  const paths = [...foldersOf(modules)].map(folder => {
    const found = endsOf(folder).find(end => lock[end] !== undefined)
    if (found === undefined) throw new Error(`package-lock.json has no entry for ${folder}`)
    return found
  })
  return [...new Set(paths)].toSorted()
}

/** A published file, or a program or library in a published file, with the parts that it contains or needs. */
export type Part = {
  type: 'application' | 'container' | 'library' | 'platform'
  name: string
  group?: string
  version: string
  /** SPDX expression. */
  licence: string
  purl: PackageURL
  /** CPE name, for a part whose vulnerabilities are not listed under its package URL. */
  cpe?: string
  /** Hash in hex of the archive from which the part is taken. */
  hash?: { algorithm: 'SHA-256' | 'SHA-512'; value: string }
  parts: readonly Part[]
}

/**
 * Returns the npm package of a lock file's entry. `path` is the entry's path. Throws Error if the entry has no version
 * or no licence.
 */
export const npmPart = (path: string, entry: LockEntry): Part => {
  // The entry of an alias has the real name of the package, so `name` takes precedence over the path.
  const full = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const [name = '', group] = full.split('/').toReversed()
  const { version, license, integrity } = entry
  if (version === undefined || license === undefined) throw new Error(`${full} has no version or no licence`)
  const hash = SRI.exec(integrity ?? '')?.[1]
  return {
    type: 'library',
    name,
    ...(group !== undefined && { group }),
    version,
    licence: license,
    purl: new PackageURL('npm', group ?? null, name, version, null, null),
    ...(hash !== undefined && { hash: { algorithm: 'SHA-512', value: hexOf(hash) } }),
    parts: [],
  }
}

const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')

/**
 * Returns a package as a part: its archive's SHA-256 and, each with its own hash, the npm packages that it contains or
 * needs. Throws Error if the lock file lacks one of them.
 */
export const partOf = ({ archive, packages }: Package, lock: Lock): Part => ({
  ...npmPart('', { ...lock[''], name: titleOf(archive) }),
  type: 'application',
  hash: { algorithm: 'SHA-256', value: sha256(archive.bytes) },
  parts: packages.map(path => {
    const entry = lock[path]
    if (entry === undefined) throw new Error(`package-lock.json has no entry ${path}`)
    return npmPart(path, entry)
  }),
})

const componentOf = ({ type, name, group, version, licence, purl, cpe, hash }: Part): Models.Component => {
  const made = new Models.Component(TYPES[type], name, {
    ...(group !== undefined && { group }),
    ...(cpe !== undefined && { cpe }),
    version,
    purl: purl.toString(),
    bomRef: purl.toString(),
  })
  made.licenses.add(new Models.LicenseExpression(licence))
  if (hash !== undefined) made.hashes.set(Enums.HashAlgorithm[hash.algorithm], hash.value)
  return made
}

/**
 * Makes the bill of materials of a file. It lists each part of `subject` once, and the parts that each contains or
 * needs.
 */
export const billOf = (file: Artefact, subject: Part): Artefact => {
  const top = componentOf(subject)
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: top }) })
  const known = new Map<string, Models.Component>()
  const add = (owner: Models.Component, parts: readonly Part[]): void => {
    for (const part of parts) {
      const id = part.purl.toString()
      const component = known.get(id) ?? componentOf(part)
      known.set(id, component)
      bom.components.add(component)
      owner.dependencies.add(component.bomRef)
      add(component, part.parts)
    }
  }
  add(top, subject.parts)
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  const text = serializer.serialize(bom, { sortLists: true, space: 2 })
  return { name: `${file.name}.cdx.json`, bytes: new TextEncoder().encode(`${text}\n`) }
}

/** Makes the bill of materials of a package. */
export const sbom = (made: Package, lock: Lock): Artefact => billOf(made.archive, partOf(made, lock))
