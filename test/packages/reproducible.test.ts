/** Anyone can build the same packages from the same sources, and check whether a download matches. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { unzipSync } from 'fflate'
import { parseTar } from 'nanotar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { thisPlatform } from '../../deploy/image/platform.ts'
import type { Artefact } from '../../deploy/package/archives.ts'
import { sha256 } from '../../deploy/package/artefacts.ts'
import { archivesOf } from '../../deploy/package/extension.ts'
import { LICENCES } from '../../deploy/package/licences.ts'
import { artefactsOf } from '../../deploy/package/makers.ts'
import { ADDRESS, prepareClone } from '../site/clone.ts'
import { releasedExtension } from '../support/build.ts'
import { outcomeOf, spawnProgram } from '../support/child.ts'
import { root } from '../support/root.ts'
import { madeImage, madePackages } from './made.ts'

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
/** The folder of a clone, which has the same downloads for the image. */
let clone: string

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
  clone = join(folder, 'another place')
  const env = { ...process.env, ...(await prepareClone(folder)) }
  execFileSync('git', ['clone', '--quiet', ADDRESS, clone], { env })
  mkdirSync(join(clone, '.runtime'))
  made = [...(await madeExtension()), ...(await madePackages()), ...(await madeImage())]
  symlinkSync(join(root, '.runtime/image'), join(clone, '.runtime/image'))
  // No timeout: the duration of a build depends on the machine's load.
}, 0)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('each package comes with its bill of materials', async () => {
  const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
  const archives = [
    ...['chromium', 'firefox'].map(name => `heliograph-${name}-${version}.zip`),
    ...['bridge', 'evm', 'relay', 'wire'].map(name => `heliograph-${name}-${version}.tgz`),
    `heliograph-${version}-linux-${thisPlatform().architecture}.oci.tar`,
  ]
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
  // No timeout: the duration of a build depends on the machine's load.
  timeout: 0,
}, async () => {
  const unknown = { name: 'heliograph-relay-9.9.9.tgz', bytes: new Uint8Array() }
  const changed = made
    .filter(({ name }) => /-(?:chromium|evm)-/.test(name))
    .map(({ name, bytes }) => ({ name, bytes: bytes.with(bytes.length >> 1, (bytes.at(bytes.length >> 1) ?? 0) ^ 1) }))
  const write = (place: string, files: readonly Artefact[]): string[] => {
    mkdirSync(join(folder, place))
    return files.map(({ name, bytes }) => {
      writeFileSync(join(folder, place, name), bytes)
      return join(folder, place, name)
    })
  }
  const paths = [...write('downloads', made), ...write('changed', [...changed, unknown])]
  const { code, said } = await run('deploy/package/verify.ts', paths, clone)
  expect(code, said).toBe(1)
  expect(said.split('\n').filter(line => line.startsWith('heliograph-'))).toEqual([
    ...made.map(({ name, bytes }) => `${name} matches this source, byte for byte. SHA-256: ${sha256(bytes)}`),
    ...[...changed, unknown].map(({ name }) => `${name} does NOT match this source:`),
  ])
})

test('no text in a package contains a folder of this machine', () => {
  for (const { name, bytes } of made) {
    const files: [string, Uint8Array][] = name.endsWith('.zip')
      ? Object.entries(unzipSync(bytes))
      : name.endsWith('.tgz')
        ? parseTar(new Uint8Array(gunzipSync(bytes))).map(file => [file.name, file.data ?? new Uint8Array()])
        : [[name, bytes]]
    const naming = files.filter(
      ([path, data]) => !path.endsWith('.node') && Buffer.from(data).includes(root.replace(/\/$/, '')),
    )
    expect(naming.map(([path]) => `${name}: ${path}`)).toEqual([])
  }
})
