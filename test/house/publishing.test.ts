/** Checks the archives for the stores, as the Chrome Web Store and addons.mozilla.org check an upload. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import type { Artefact } from '../../deploy/package/archives.ts'
import { archivesOf } from '../../deploy/package/extension.ts'
import { releasedExtension } from '../support/build.ts'
import { root } from '../support/root.ts'
import { read } from './sources.ts'

/** Limits of the Chrome Web Store, in characters. */
const MAX_NAME = 75
const MAX_DESCRIPTION = 132

const LICENCES = 'THIRD-PARTY-LICENSES.txt'
const BETWEEN_LICENCES = `\n\n${'-'.repeat(80)}\n\n`

type Files = Record<string, Uint8Array>

let archives: readonly Artefact[]
let chromium: Files
let firefox: Files

beforeAll(async () => {
  archives = await archivesOf(dirname(await releasedExtension()))
  const [one, other] = archives.map(({ bytes }) => unzipSync(bytes))
  if (!one || !other) throw new Error('there are not two archives')
  chromium = one
  firefox = other
  // No timeout: the duration of a build depends on the machine's load.
}, 0)

const textOf = (files: Files, path: string): string => new TextDecoder().decode(files[path])
const json = (files: Files, path: string) => JSON.parse(textOf(files, path))

test('the archives are named after their browser and the version', () => {
  const { version } = JSON.parse(read('package.json'))
  const names = archives.map(({ name }) => name)
  expect(names).toEqual([`heliograph-chromium-${version}.zip`, `heliograph-firefox-${version}.zip`])
})

test('an archive has the licences of the font and of the Public Suffix List', () => {
  for (const files of [chromium, firefox]) {
    const [suffixes, font] = textOf(files, LICENCES).split(BETWEEN_LICENCES).slice(-2)
    expect(suffixes).toContain('https://publicsuffix.org/list/public_suffix_list.dat')
    expect(font).toContain('SIL OPEN FONT LICENSE Version 1.1')
    expect(Object.keys(files).filter(path => path.endsWith('.woff2'))).toEqual(['fonts/jetbrains-mono-latin.woff2'])
  }
})

test('an archive has the manifest at its root, no source map, no hidden file and no file of an operating system', () => {
  for (const files of [chromium, firefox]) {
    const paths = Object.keys(files)
    expect(paths).toContain('manifest.json')
    expect(paths.filter(path => /\.map$|(?:^|\/)\.|__MACOSX|Thumbs\.db|desktop\.ini/.test(path))).toEqual([])
    // Chromium refuses to load an extension with names that start with an underscore, except this one.
    expect(paths.filter(path => path.startsWith('_') && !path.startsWith('_locales/'))).toEqual([])
  }
})

test('the name and the description are within the limits of the Chrome Web Store in every language', () => {
  const languages = Object.keys(chromium).filter(path => /^_locales\/\w+\/messages\.json$/.test(path))
  expect(languages).toHaveLength(6)
  for (const path of languages) {
    const { extensionName, extensionDescription } = json(chromium, path)
    expect([...extensionName.message].length, path).toBeLessThanOrEqual(MAX_NAME)
    expect([...extensionDescription.message].length, path).toBeLessThanOrEqual(MAX_DESCRIPTION)
  }
})

/** Width and height of a PNG file: the first fields of its header. */
const sizeOf = (png: Uint8Array): [number, number] => {
  const view = new DataView(png.buffer, png.byteOffset)
  return [view.getUint32(16), view.getUint32(20)]
}

test('each icon has the size that the manifest declares', () => {
  const { icons } = json(chromium, 'manifest.json')
  expect(Object.keys(icons)).toEqual(['16', '32', '48', '128'])
  for (const [size, path] of Object.entries<string>(icons))
    expect(sizeOf(chromium[path] ?? new Uint8Array()), path).toEqual([Number(size), Number(size)])
})

test('the manifest has version 3, no update URL and no key, and has a version that stores accept', () => {
  for (const files of [chromium, firefox]) {
    const { manifest_version, update_url, key, version } = json(files, 'manifest.json')
    expect([manifest_version, update_url, key]).toEqual([3, undefined, undefined])
    expect(version).toMatch(/^\d{1,5}(?:\.\d{1,5}){1,3}$/)
  }
})

test('the Firefox manifest declares that no data is collected', () => {
  const { gecko } = json(firefox, 'manifest.json').browser_specific_settings
  expect(gecko.data_collection_permissions).toEqual({ required: ['none'] })
})

test('the linter of addons.mozilla.org has no error, warning or notice about the Firefox archive', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-lint-'))
  try {
    const [path, linter] = [join(folder, 'firefox.zip'), join(root, 'node_modules/addons-linter/bin/addons-linter')]
    await writeFile(path, archives[1]?.bytes ?? '')
    const run = promisify(execFile)(process.execPath, [linter, path, '--output', 'json'])
    // The linter exits with code 1 if it finds errors. Its report contains them too, so the exit code is ignored.
    const { stdout } = await run.catch((error: { stdout: string }) => error)
    const { errors, warnings, notices } = JSON.parse(stdout)
    expect({ errors, warnings, notices }).toEqual({ errors: [], warnings: [], notices: [] })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
