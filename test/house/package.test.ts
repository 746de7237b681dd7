/** Checks the published extension: minimal permissions, files and code. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { FIREFOX_ID, writeFirefox } from '../../extension/firefox.ts'
import { CONFIRM_DELAY, PAGE_QUIET, WINDOW_QUIET } from '../../extension/src/ui/model/quiet.ts'
import { KDF_COST } from '../../extension/src/wallet/keys/vault-file.ts'
import { releasedExtension } from '../support/build.ts'
import phrases from '../vectors/phrases.json' with { type: 'json' }
import { read } from './sources.ts'

/** The files of a built extension: path → content. */
type Files = ReadonlyMap<string, Buffer>

let files: Files

beforeAll(async () => {
  files = await filesOf(await releasedExtension())
  // No timeout: the duration of a build depends on the machine's load.
}, 0)

const filesOf = async (folder: string): Promise<Files> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const contents = await Promise.all(
    paths.toSorted().map(async path => [path.slice(folder.length + 1), await readFile(path)] as const),
  )
  return new Map(contents)
}

const json = (path: string) => JSON.parse(String(files.get(path)))
const withEnding = (...endings: string[]) =>
  [...files]
    .filter(([path]) => endings.some(ending => path.endsWith(ending)))
    .map(([path, content]) => ({ path, text: String(content) }))

test('the manifest requests only these permissions', () => {
  const { permissions, optional_permissions, host_permissions, web_accessible_resources, externally_connectable } =
    json('manifest.json')
  // `scripting` runs the package's own files on sites where the user chose how the provider presents itself.
  // `offscreen` is for the document that holds the sockets to relays. `contextMenus` and `sidePanel` show no warning.
  expect(permissions).toEqual(['alarms', 'contextMenus', 'offscreen', 'scripting', 'sidePanel', 'storage'])
  // The user can set any URL as a network's RPC.
  expect(host_permissions).toEqual(['http://*/*', 'https://*/*'])
  // The browser asks the user for these when they are first used.
  expect(optional_permissions).toEqual(['clipboardWrite', 'notifications'])
  expect([web_accessible_resources, externally_connectable]).toEqual([undefined, undefined])
})

test('no script of the worker or a page has exports that another script could import', () => {
  const pages = withEnding('.html').map(({ path }) => `assets/${path.replace('.html', '.js')}`)
  for (const name of ['background.js', ...pages])
    expect(String(files.get(name)), name).not.toMatch(/\bexport\s*(?:\{|\*|default|const|let)|^undefined$/)
})

test('the Firefox build differs only in the manifest, which has a background page and no Chromium-only permissions', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-firefox-'))
  await writeFirefox(await releasedExtension(), folder)
  const made = await filesOf(folder)
  await rm(folder, { recursive: true })
  const differing = [...made].filter(([path, content]) => !files.get(path)?.equals(content)).map(([path]) => path)
  expect([made.size, differing]).toEqual([files.size, ['manifest.json']])
  const { background, permissions, minimum_chrome_version, ...rest } = JSON.parse(String(made.get('manifest.json')))
  expect(background).toEqual({ scripts: ['background.js'], type: 'module' })
  expect(permissions).toEqual(['alarms', 'contextMenus', 'scripting', 'storage'])
  const { sidebar_action, side_panel, commands } = rest
  expect([sidebar_action.default_panel, sidebar_action.open_at_install, side_panel]).toEqual([
    'panel.html',
    false,
    undefined,
  ])
  const chromiums = json('manifest.json').commands
  expect(commands).toEqual({
    _execute_action: chromiums._execute_action,
    _execute_sidebar_action: chromiums['open-panel'],
  })
  expect([minimum_chrome_version, rest.browser_specific_settings.gecko.id]).toEqual([undefined, FIREFOX_ID])
  expect(rest.content_scripts).toEqual(json('manifest.json').content_scripts)
})

test("the manifest injects only the content script and the provider, before the page's scripts", () => {
  const common = { matches: ['http://*/*', 'https://*/*'], run_at: 'document_start', all_frames: true }
  expect(json('manifest.json').content_scripts).toEqual([
    { js: ['content.js'], ...common },
    { js: ['inpage.js'], ...common, world: 'MAIN' },
  ])
})

test("the wallet's pages run only its own scripts, connect to nodes, relays and their own files, and cannot be framed", () => {
  const policy: string = json('manifest.json').content_security_policy.extension_pages
  const rules = Object.fromEntries(policy.split('; ').map(rule => [rule.split(' ')[0], rule.split(' ').slice(1)]))
  expect(rules).toEqual({
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'", 'http:', 'https:', 'ws:', 'wss:'],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
})

test("the version is the package's, and each file and text named in the manifest exists", () => {
  const manifest = json('manifest.json')
  expect(manifest.version).toBe(JSON.parse(read('package.json')).version)
  const named = JSON.stringify(manifest).matchAll(/"([\w/-]+\.(?:js|html|png))"/g)
  for (const [, path = ''] of named) expect(files.has(path), path).toBe(true)
  const texts = JSON.stringify(manifest).matchAll(/__MSG_(\w+)__/g)
  for (const [, key = ''] of texts) expect(json('_locales/en/messages.json')[key]?.message, key).toBeTruthy()
})

test('the released wallet uses the real cost of key derivation, and the real delays before it accepts a press', () => {
  const costs = `${files.get('background.js')}`.matchAll(/memory:(\d+),passes:(\d+)/g)
  // The expected values are the cost of new vaults, and the limits of the costs that are accepted.
  expect([...costs].map(([, memory, passes]) => [Number(memory), Number(passes)]).toSorted()).toEqual(
    [
      [KDF_COST.memory, KDF_COST.passes],
      [19_456, 2],
      [262_144, 10],
    ].toSorted(),
  )
  expect(KDF_COST).toEqual({ memory: 65_536, passes: 3, lanes: 1 })
  expect([WINDOW_QUIET, PAGE_QUIET, CONFIRM_DELAY]).toEqual([1_000, 500, 1_000])
})

test('the word lists of all languages match BIP-39', () => {
  const shipped = [...files].filter(([path]) => path.startsWith('words/'))
  const hashes = shipped.map(([path, text]) => [
    path.slice('words/'.length, -'.txt'.length),
    createHash('sha256').update(`${text}\n`).digest('hex'),
  ])
  expect(Object.fromEntries(hashes)).toEqual(phrases.lists)
})

test('no script evaluates text as code or loads remote code, and no source map is shipped', () => {
  const scripts = withEnding('.js')
  expect(scripts.length).toBeGreaterThan(3)
  for (const { path, text } of scripts) {
    expect(text.match(/\beval\s*\(|\bnew Function\b|\bFunction\s*\(\s*['"`]|importScripts/)?.[0], path).toBeUndefined()
    expect(text.match(/sourceMappingURL|import\s*\(\s*['"`]?https?:/)?.[0], path).toBeUndefined()
  }
  for (const { path, text } of withEnding('.html', '.css'))
    expect(text.match(/(?:src|href)="(?:https?:)?\/\/|url\(['"]?(?:https?:)?\/\//)?.[0], path).toBeUndefined()
  expect([...files.keys()].filter(path => path.endsWith('.map'))).toEqual([])
})
