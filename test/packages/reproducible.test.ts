/** Anyone gets the same packages of the servers from the same sources. */

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync } from 'fflate'
import { parseTar } from 'nanotar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../support/root.ts'
import { makePackages, type Packages } from './installed.ts'

const BUILD_MS = 300_000
const SOURCES = [
  'package.json',
  'tsconfig.json',
  'LICENSE',
  'fallback-node.js',
  'shared',
  'relay-server',
  'bridge-server',
  'deploy',
]
const NOT_SOURCES = new Set(['node_modules', 'dist'])

let packages: Packages
let folder: string
beforeAll(async () => {
  packages = await makePackages()
  folder = mkdtempSync(join(tmpdir(), 'reproducible-'))
}, BUILD_MS)
afterAll(() => {
  packages.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Copies the sources, and links the installed packages. Those of the workspaces are the copies. */
const copySources = (): string => {
  const copy = join(folder, 'another place')
  for (const path of SOURCES)
    cpSync(join(root, path), join(copy, path), { recursive: true, filter: from => !NOT_SOURCES.has(basename(from)) })
  mkdirSync(join(copy, 'node_modules/@heliograph'), { recursive: true })
  symlinkSync(join(copy, 'shared'), join(copy, 'node_modules/@heliograph/shared'))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@heliograph') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  return copy
}

const DIFFERENT = {
  HOME: '/nonexistent',
  USER: 'somebody',
  TZ: 'Pacific/Apia',
  LANG: 'tr_TR.UTF-8',
  LC_ALL: 'tr_TR.UTF-8',
}

test('another folder, user, time zone and locale give the same bytes', { timeout: BUILD_MS }, () => {
  const copy = copySources()
  const script = join(copy, 'make.ts')
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs'
     import { serverPackages } from './deploy/package/servers.ts'
     for (const { name, bytes } of await serverPackages()) writeFileSync(name, bytes)`,
  )
  const env = { PATH: process.env.PATH, ...DIFFERENT }
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script], {
    cwd: copy,
    env,
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  for (const kind of ['relay', 'bridge'] as const) {
    const archive = packages.archiveOf(kind)
    expect(readFileSync(join(copy, basename(archive))).equals(readFileSync(archive)), kind).toBe(true)
  }
})

test('no file of a package names a folder of this machine', () => {
  for (const kind of ['relay', 'bridge'] as const)
    for (const { name, data } of parseTar(gunzipSync(readFileSync(packages.archiveOf(kind))))) {
      if (name.endsWith('.node')) continue
      expect(`${Buffer.from(data ?? [])}`.includes(root.slice(0, -1)), name).toBe(false)
    }
})

test.each(['relay', 'bridge'] as const)('the manual page of the %s renders without a warning', kind => {
  const files = parseTar(gunzipSync(readFileSync(packages.archiveOf(kind))))
  const page = `${Buffer.from(files.find(({ name }) => name.endsWith('.1'))?.data ?? [])}`
  expect(page).toMatch(/^\.TH "HELIOGRAPH\\-/)
  const titles = [...page.matchAll(/^\.SH "(.+)"$/gm)].map(([, title]) => title)
  expect(titles).toEqual([...['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OTHER USES', 'SETTINGS', 'SIGNALS', 'EXIT STATUS']])
  expect(page.split('\n').filter(line => /^[.'](?!(TH|SH|TP|PP|br)\b)/.test(line))).toEqual([])
  // The structure is all that can be checked where there is no groff.
  const { error, stdout, stderr } = spawnSync('groff', ['-ww', '-man', '-Tutf8'], { input: page, encoding: 'utf8' })
  if (error) return
  expect(stderr).toBe('')
  expect(stdout).toContain('Stop the server gracefully.')
})
