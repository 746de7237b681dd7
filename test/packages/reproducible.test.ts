/** Anyone can build the same packages from the same sources, and check whether a download matches. */
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { gunzipSync, unzipSync } from 'fflate'
import { parseTar } from 'nanotar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Artefact } from '../../deploy/package/archives.ts'
import { archivesOf } from '../../deploy/package/extension.ts'
import { LICENCES } from '../../deploy/package/licences.ts'
import { artefactsOf } from '../../deploy/package/makers.ts'
import { releasedExtension } from '../support/build.ts'
import { outcomeOf, spawnProgram } from '../support/child.ts'
import { root } from '../support/root.ts'
import { madePackages } from './made.ts'

const BUILD_MS = 600_000
/** Folders that a build writes to, and folders that contain no sources. */
const NOT_SOURCES = new Set(['.git', '.runtime', '.data', 'node_modules', 'dist', 'test'])

/** Variables that make a process believe it runs on another machine. */
const ELSEWHERE = {
  HOME: '/nonexistent',
  USER: 'somebody',
  TZ: 'Pacific/Apia',
  LANG: 'tr_TR.UTF-8',
  LC_ALL: 'tr_TR.UTF-8',
}

let made: Artefact[]
let folder: string
/** The folder of a copy of the sources. */
let copy: string

/** Copies the sources, and links the installed packages. The project's own packages come from the copy. */
const copySources = (): void => {
  for (const name of readdirSync(root))
    if (!NOT_SOURCES.has(name))
      cpSync(join(root, name), join(copy, name), {
        recursive: true,
        filter: path => !/\/(?:dist|node_modules)$/.test(path),
      })
  for (const scope of ['', '@heliograph']) {
    mkdirSync(join(copy, 'node_modules', scope), { recursive: true })
    for (const name of readdirSync(join(root, 'node_modules', scope)))
      if (name !== '@heliograph')
        symlinkSync(
          scope === '' ? join(root, 'node_modules', name) : join(copy, name),
          join(copy, 'node_modules', scope, name),
        )
  }
  const { workspaces }: { workspaces: string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const workspace of workspaces) {
    const own = join(root, workspace, 'node_modules')
    if (readdirSync(join(root, workspace)).includes('node_modules'))
      symlinkSync(own, join(copy, workspace, 'node_modules'))
  }
}

const run = async (script: string, args: readonly string[], cwd: string) => {
  const child = spawnProgram(
    'env',
    [
      ...Object.entries(ELSEWHERE).map(([name, value]) => `${name}=${value}`),
      process.execPath,
      ...['--import', join(root, 'node_modules/tsx/dist/loader.mjs'), join(cwd, script), ...args],
    ],
    cwd,
  )
  return outcomeOf(child)
}

/** Packs the extension that all tests share, which the makers of the packages have built. */
const madeExtension = async (): Promise<Artefact[]> => {
  const built = dirname(await releasedExtension())
  const packages: string[] = JSON.parse(readFileSync(join(built, 'packages.json'), 'utf8'))
  return artefactsOf((await archivesOf(built)).map(archive => ({ archive, packages })))
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reproducible-'))
  copy = join(folder, 'another place')
  copySources()
  made = [...(await madeExtension()), ...(await madePackages())]
}, BUILD_MS)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

test('each package comes with its bill of materials', async () => {
  const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
  const archives = ['chromium', 'firefox', 'bridge', 'evm', 'relay', 'wire'].map(
    (name, index) => `heliograph-${name}-${version}.${index < 2 ? 'zip' : 'tgz'}`,
  )
  expect(made.map(({ name }) => name)).toEqual(archives.flatMap(name => [name, `${name}.cdx.json`]))
  for (const { name, bytes } of made.filter(({ name }) => name.endsWith('.json'))) {
    const text = new TextDecoder().decode(bytes)
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text), name).toBeNull()
  }
})

test('a bill of materials lists the contents of the package, but no build tools', () => {
  const namesOf = (kind: string): string[] => {
    const bill = made.find(({ name }) => name.includes(`-${kind}-`) && name.endsWith('.json'))
    const { components } = JSON.parse(new TextDecoder().decode(bill?.bytes))
    return components.map(({ group, name }: { group?: string; name: string }) => (group ? `${group}/${name}` : name))
  }
  expect(namesOf('relay')).toEqual(
    expect.arrayContaining(['@redis/client', 'pino', 'prom-client', 'uws-pack', 'valibot']),
  )
  expect(namesOf('chromium')).toEqual(
    expect.arrayContaining(['@noble/curves', '@scure/bip39', 'svelte', 'tldts', 'valibot']),
  )
  expect(namesOf('firefox')).toEqual(namesOf('chromium'))
  expect(namesOf('evm')).toEqual(['@noble/curves', '@noble/hashes'])
  for (const kind of ['relay', 'bridge', 'chromium', 'wire'])
    expect(namesOf(kind).filter(name => /^(?:vite|tsx|typescript|terser|vitest)$/.test(name))).toEqual([])
})

test('an extension has the licence of each package in its bill of materials', () => {
  for (const kind of ['chromium', 'firefox']) {
    const [archive, bill] = made.filter(({ name }) => name.startsWith(`heliograph-${kind}-`))
    const { components } = JSON.parse(new TextDecoder().decode(bill?.bytes))
    const billed = components.map(
      ({ group, name, version }: { group?: string; name: string; version: string }) =>
        `${group ? `${group}/` : ''}${name} ${version}`,
    )
    const text = new TextDecoder().decode(unzipSync(archive?.bytes ?? new Uint8Array())[LICENCES])
    const entries = text.split(`\n\n${'-'.repeat(80)}\n\n`)
    const titled = entries.flatMap(entry => /^(\S+ \d\S+) \(.+\)\n\n[\s\S]{200,}/.exec(entry)?.[1] ?? [])
    expect(billed).toEqual(expect.arrayContaining([expect.stringMatching(/^svelte /)]))
    expect(titled.toSorted()).toEqual(billed.toSorted())
  }
})

test('in another folder, for another user, time zone and locale, verify makes the same bytes, and rejects a changed byte and an unknown name', {
  timeout: BUILD_MS,
}, async () => {
  const downloads = join(folder, 'downloads')
  const changed = join(folder, 'changed')
  for (const place of [downloads, changed]) mkdirSync(place)
  for (const { name, bytes } of made) {
    writeFileSync(join(downloads, name), bytes)
    writeFileSync(join(changed, name), bytes.with(bytes.length >> 1, (bytes.at(bytes.length >> 1) ?? 0) ^ 1))
  }
  const unknown = join(changed, 'heliograph-relay-9.9.9.tgz')
  writeFileSync(unknown, '')
  const files = [downloads, changed].flatMap(place => made.map(({ name }) => join(place, name)))
  const { code, said } = await run('deploy/package/verify.ts', [...files, unknown], copy)
  expect(code, said).toBe(1)
  const verdicts = said.split('\n').filter(line => /^heliograph-/.test(line))
  expect(verdicts).toEqual([
    ...made.map(({ name, bytes }) => `${name} matches this source, byte for byte. SHA-256: ${hashOf(bytes)}`),
    ...made.map(({ name }) => `${name} does NOT match this source:`),
    'heliograph-relay-9.9.9.tgz does NOT match this source:',
  ])
})

test('no text in a package contains a folder of this machine', () => {
  for (const { name, bytes } of made) {
    const files: [string, Uint8Array][] = name.endsWith('.zip')
      ? Object.entries(unzipSync(bytes))
      : name.endsWith('.tgz')
        ? parseTar(gunzipSync(bytes)).map(file => [file.name, file.data ?? new Uint8Array()])
        : [[name, bytes]]
    const naming = files.filter(
      ([path, data]) => !path.endsWith('.node') && Buffer.from(data).includes(root.replace(/\/$/, '')),
    )
    expect(naming.map(([path]) => `${name}: ${path}`)).toEqual([])
  }
})
