/** Collects the licences of all third-party code in a published file into one text. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Copyright notices of packages whose archive has no licence file, copied from the licence in their repository. */
const HOLDERS: Readonly<Record<string, string>> = { '@redis/client': 'Copyright (c) 2022-2025, Redis, inc.' }

const TERMS = /Permission is hereby granted[\s\S]*/

/** File name of the text in a package. */
export const LICENCES = 'THIRD-PARTY-LICENSES.txt'

type Package = { name: string; version: string; licence: string; text: string | undefined }

const readPackage = (folder: string): Package => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(name => /^licen[cs]e(\.\w+)?$/i.test(name))
  const text = file === undefined ? undefined : readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
  return { name, version, licence: license, text }
}

/** Returns the MIT licence of a package without a licence file. Throws Error if its copyright holder is unknown. */
const mitOf = ({ name, licence }: Package, terms: string | undefined): string => {
  const holder = HOLDERS[name]
  if (licence !== 'MIT' || holder === undefined || terms === undefined) throw new Error(`${name} has no licence file`)
  return `MIT License\n\n${holder}\n\n${terms}`
}

/**
 * Returns one text with the licence of each package, sorted by name, followed by `others`. `folders` are paths of
 * packages. Ignores paths that do not exist, which bundlers make up. Throws Error if a package has no licence file and
 * its copyright holder is unknown.
 */
export const licencesOf = (folders: Iterable<string>, others: readonly string[]): string => {
  const packages = [...folders].filter(folder => existsSync(folder)).map(readPackage)
  packages.sort((one, other) => (one.name < other.name ? -1 : 1))
  const terms = packages.map(({ text = '' }) => TERMS.exec(text)?.[0]).find(found => found !== undefined)
  const entries = packages.map(
    found => `${found.name} ${found.version} (${found.licence})\n\n${found.text ?? mitOf(found, terms)}`,
  )
  return `${[...entries, ...others].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
