/** The licences of the packages in a script, and of the native code beside it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldersOf } from './sbom.ts'

/** Holders of packages whose archive has no licence file, from the file in their repository. */
const HOLDERS: Readonly<Record<string, string>> = { '@redis/client': 'Copyright (c) 2022-2025, Redis, inc.' }

const NATIVE_CODE = `The files in bin/ are uWebSockets.js, uWebSockets and uSockets by Alex Hultman and contributors
(https://github.com/uNetworking/uWebSockets.js), under the Apache License 2.0, whose text is in LICENSE. They are
unchanged from the package uws-pack. Linked into them are BoringSSL (https://github.com/google/boringssl), lsquic
(https://github.com/litespeedtech/lsquic), libdeflate (https://github.com/ebiggers/libdeflate) and zlib
(https://github.com/madler/zlib), under their own permissive licences.`

const TERMS = /Permission is hereby granted[\s\S]*/

type Package = { name: string; version: string; licence: string; text: string | undefined }

const readPackage = (folder: string): Package => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(name => /^licen[cs]e(\.\w+)?$/i.test(name))
  const text = file === undefined ? undefined : readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
  return { name, version, licence: license, text }
}

/** The MIT licence of a package without a licence file. Throws if its holder is unknown. */
const mitOf = ({ name, licence }: Package, terms: string | undefined): string => {
  const holder = HOLDERS[name]
  if (licence !== 'MIT' || holder === undefined || terms === undefined) throw new Error(`${name} has no licence file`)
  return `MIT License\n\n${holder}\n\n${terms}`
}

/** One text with the licence of each package, by name. `modules` are absolute paths of the modules in the script. */
export const licencesOf = (modules: readonly string[]): string => {
  const packages = [...foldersOf(modules)].filter(folder => existsSync(folder)).map(readPackage)
  packages.sort((one, other) => (one.name < other.name ? -1 : 1))
  const terms = packages.map(({ text = '' }) => TERMS.exec(text)?.[0]).find(found => found !== undefined)
  const entries = packages.map(
    found => `${found.name} ${found.version} (${found.licence})\n\n${found.text ?? mitOf(found, terms)}`,
  )
  return `${[...entries, NATIVE_CODE].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
