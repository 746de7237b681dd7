/** Checks that every installed package has a licence that docs/dependencies.md allows. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/root.ts'
import { read } from './sources.ts'

type Declared = { path: string; name: string; licence: string }

/**
 * Returns the declared licences of all packages in a folder's `node_modules`, at any depth. Links are workspaces and
 * are skipped.
 */
const installedIn = (folder: string, at = 'node_modules'): Declared[] =>
  readdirSync(join(folder, at), { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) => {
      const path = `${at}/${name}`
      if (name.startsWith('@')) return installedIn(folder, path)
      const below = readdirSync(join(folder, path)).includes('node_modules')
      return [declaredBy(folder, path), ...(below ? installedIn(folder, `${path}/node_modules`) : [])]
    })

/** Returns a package's declared licence. Old packages have a list `licenses` of `{ type }` instead of `license`. */
const declaredBy = (folder: string, path: string): Declared => {
  const { name, license, licenses } = JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8'))
  const old = Array.isArray(licenses) ? licenses.map(({ type }) => type).join(' OR ') : 'none'
  return { path, name, licence: typeof license === 'string' ? license : (license?.type ?? old) }
}

/** True if an SPDX expression offers a choice that needs only licences of the list. */
const allows = (list: ReadonlySet<string>, expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some(choice => choice.split(' AND ').every(licence => list.has(licence)))

const [, section = ''] = read('docs/dependencies.md').split('\n## Licences\n')
const [, everywhere = '', tools = '', exceptions = ''] =
  /^\| everywhere \| (.+) \|\n\| tests and tools \| (.+) \|\n\n[^|]+((?:\|.+\n)+)/m.exec(section) ?? []
const published = new Set(everywhere.split(', '))
const development = new Set([...published, ...tools.split(', ')])
const rows = exceptions.split('\n').slice(2)
const excepted = new Set(rows.flatMap(row => (row === '' ? [] : [row.split(' | ').slice(0, 2).join().slice(2)])))

const locked: Record<string, { dev?: boolean }> = JSON.parse(read('package-lock.json')).packages

/**
 * Returns packages whose licence is not allowed where they are used. Packages without `dev` in the lock file are
 * published.
 */
const refusedIn = (folder: string): Declared[] =>
  installedIn(folder).filter(
    ({ path, name, licence }) =>
      !allows(locked[path] && !locked[path].dev ? published : development, licence) &&
      !excepted.has([name, licence].join()),
  )

test('every installed package declares a licence that docs/dependencies.md lists, or is an exception there', () => {
  expect(installedIn(root).length).toBeGreaterThan(500)
  expect(refusedIn(root)).toEqual([])
})

test('each exception is an installed package', () => {
  const installed = new Set(installedIn(root).map(({ name, licence }) => [name, licence].join()))
  expect([...excepted].filter(row => !installed.has(row))).toEqual([])
})

test('a package with another licence is found, even if it is nested in another package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'licences-'))
  const plant = (path: string, declared: object) => {
    mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(
      join(folder, path, 'package.json'),
      JSON.stringify({ name: path.split('node_modules/').at(-1), ...declared }),
    )
  }
  try {
    plant('node_modules/free', { license: 'MIT' })
    plant('node_modules/either', { license: '(MIT OR SSPL-1.0)' })
    plant('node_modules/old', { licenses: [{ type: 'MIT' }] })
    plant('node_modules/tool', { license: 'LGPL-3.0' })
    plant('node_modules/free/node_modules/@scope/client', { license: 'SEE LICENSE IN LICENSE.md' })
    plant('node_modules/both', { license: '(MIT AND SSPL-1.0)' })
    plant('node_modules/silent', {})
    // valibot is published with the extension, so its licence is checked.
    plant('node_modules/valibot', { license: 'LGPL-3.0' })
    expect(refusedIn(folder)).toEqual([
      { path: 'node_modules/both', name: 'both', licence: '(MIT AND SSPL-1.0)' },
      {
        path: 'node_modules/free/node_modules/@scope/client',
        name: '@scope/client',
        licence: 'SEE LICENSE IN LICENSE.md',
      },
      { path: 'node_modules/silent', name: 'silent', licence: 'none' },
      { path: 'node_modules/valibot', name: 'valibot', licence: 'LGPL-3.0' },
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
