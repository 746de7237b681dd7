/** Checks the import rules: what each room of ARCHITECTURE.md may import. */
import { describe, expect, test } from 'vitest'
import { filesBelow, importsOf, read } from './sources.ts'

/** A room: its files, and the other rooms and the packages that these files may import. */
type Room = { files: RegExp; rooms: readonly string[]; packages: readonly string[] }

const noble = ['@noble/ciphers', '@noble/curves', '@noble/hashes']

const rooms: Record<string, Room> = {
  basics: { files: /^shared\/src\/(?:checksum|reasons|url)\.ts$/, rooms: [], packages: ['@noble/hashes'] },
  evm: { files: /^shared\/src\/evm\//, rooms: ['basics'], packages: noble },
  names: { files: /^shared\/src\/(?!(?:checksum|reasons|url)\.)\w+\.ts$/, rooms: ['evm', 'basics'], packages: [] },
  passkeys: { files: /^shared\/src\/passkeys\//, rooms: [], packages: noble },
  pasted: { files: /^shared\/src\/pasted\//, rooms: ['basics'], packages: [] },
  wire: {
    files: /^shared\/src\/wire\//,
    rooms: ['evm', 'names', 'basics'],
    packages: [...noble, '@scure/base', 'valibot'],
  },
  server: {
    files: /^shared\/src\/server\//,
    rooms: ['evm', 'names', 'basics', 'wire'],
    packages: ['node', '@redis/client', 'uWebSockets.js', 'ipaddr.js', 'pino', 'prom-client', 'valibot'],
  },
  relay: {
    files: /^relay-server\/src\//,
    rooms: ['evm', 'names', 'basics', 'wire', 'server'],
    packages: ['node', 'valibot'],
  },
  bridge: {
    files: /^bridge-server\/src\//,
    rooms: ['evm', 'names', 'basics', 'wire', 'server'],
    packages: ['node', 'valibot'],
  },
  messages: { files: /^extension\/src\/messages(\.ts$|\/)/, rooms: ['names', 'basics'], packages: [] },
  'other wallets': { files: /^extension\/src\/other-wallets\//, rooms: ['messages', 'pasted'], packages: ['valibot'] },
  wallet: {
    files: /^extension\/src\/wallet\//,
    rooms: ['evm', 'names', 'basics', 'passkeys', 'pasted', 'wire', 'messages'],
    packages: [...noble, '@adraffy/ens-normalize', '@scure/bip32', '@scure/bip39', 'valibot'],
  },
  browser: {
    files: /^extension\/src\/browser\/(?!(ui-port|first-port|panel-window|browser-settings|active-site|api)\.ts)/,
    rooms: ['wallet', 'messages', 'names', 'basics', 'active site', 'browser api'],
    packages: ['webextension-polyfill', 'valibot'],
  },
  'ui port': {
    files: /^extension\/src\/browser\/(ui-port|first-port|panel-window|browser-settings)\.ts$/,
    rooms: ['messages', 'active site', 'browser api', 'hardening'],
    packages: [],
  },
  'active site': {
    files: /^extension\/src\/browser\/active-site\.ts$/,
    rooms: ['messages', 'browser api'],
    packages: [],
  },
  'browser api': { files: /^extension\/src\/browser\/api\.ts$/, rooms: [], packages: ['webextension-polyfill'] },
  hardening: { files: /^extension\/src\/hardening\//, rooms: ['browser api'], packages: [] },
  background: {
    files: /^extension\/src\/background\.ts$/,
    rooms: ['wallet', 'browser', 'active site', 'names', 'hardening'],
    packages: [],
  },
  offscreen: { files: /^extension\/src\/offscreen\.ts$/, rooms: ['browser', 'hardening'], packages: [] },
  content: { files: /^extension\/src\/content\.ts$/, rooms: ['messages'], packages: ['webextension-polyfill'] },
  provider: { files: /^extension\/src\/provider\//, rooms: ['messages'], packages: [] },
  'page scripts': { files: /^extension\/src\/(inpage|as-\w+)\.ts$/, rooms: ['provider', 'messages'], packages: [] },
  ui: {
    files: /^extension\/src\/ui\/(?!(popup|approval|panel|onboarding|settings)\.ts)/,
    rooms: ['messages', 'other wallets', 'locales', 'basics', 'pasted'],
    packages: ['svelte', '@noble/hashes', 'qr'],
  },
  'ui pages': {
    files: /^extension\/src\/ui\/(popup|approval|panel|onboarding|settings)\.ts$/,
    rooms: ['ui', 'ui port', 'hardening'],
    packages: [],
  },
  locales: { files: /^extension\/public\/_locales\//, rooms: [], packages: [] },
}

/** Returns the import cycle that contains a file, or undefined. A component may render itself recursively. */
const circleFrom = (start: string, arrows: ReadonlyMap<string, readonly string[]>): string[] | undefined => {
  const seen = new Set<string>()
  const visit = (path: string, way: string[]): string[] | undefined => {
    for (const target of arrows.get(path) ?? []) {
      if (target === path) continue
      if (target === start) return [...way, target]
      if (seen.has(target)) continue
      seen.add(target)
      const circle = visit(target, [...way, target])
      if (circle) return circle
    }
    return undefined
  }
  return visit(start, [start])
}

/** True for tests beside the sources, and for files that only tests use. */
const isTest = (path: string) => /(\.(test|fixture)|-contract)\.ts$/.test(path)
const isSource = (path: string) => /\.(ts|svelte)$/.test(path)
const BUILD_FILES = [
  'extension/vite.config.ts',
  'extension/firefox.ts',
  'extension/common-passwords.ts',
  'extension/components.ts',
  'extension/licences.ts',
  'extension/public-suffixes.ts',
  'extension/test-values.ts',
  'deploy/package/folders.ts',
  'deploy/package/licences.ts',
]
const isPackage = (target: string) => target !== 'node' && roomOf(target) === undefined && !BUILD_FILES.includes(target)
const buildFiles = (workspace: string) => BUILD_FILES.filter(path => path.startsWith(`${workspace}/`))
const roomOf = (path: string) => Object.keys(rooms).find(name => rooms[name]?.files.test(path))

const sources = ['shared/src', 'relay-server/src', 'bridge-server/src', 'extension/src']
  .flatMap(folder => filesBelow(folder))
  .filter(path => isSource(path) && !isTest(path))

describe('imports are found in every form', () => {
  test('static, type, dynamic, re-exported, side effect', () => {
    const code = `
      import { a } from './a.ts'
      import type { B } from '@heliograph/shared/evm/hex'
      export * from '../c.ts'
      import '@scure/bip39/wordlists/english.js'
      const late = () => import('./late.ts')
      import { readFile } from 'node:fs/promises'`
    const found = ['x/y/a.ts', 'shared/src/evm/hex.ts', 'x/c.ts', '@scure/bip39', 'x/y/late.ts', 'node']
    expect(importsOf('x/y/z.ts', code).toSorted()).toEqual(found.toSorted())
  })

  test('in both scripts of a Svelte component', () => {
    const code = `<script module lang="ts">import { a } from './a.ts'</script>
      <script lang="ts">import B from './B.svelte'</script><p>import { c } from './c.ts'</p>`
    expect(importsOf('ui/Z.svelte', code)).toEqual(['ui/a.ts', 'ui/B.svelte'])
  })
})

describe('arrows', () => {
  test('every source file is in a room', () => {
    expect(sources.filter(path => roomOf(path) === undefined)).toEqual([])
  })

  for (const [name, room] of Object.entries(rooms).filter(([name]) => name !== 'locales')) {
    const others = [...room.rooms, ...room.packages].join(', ') || 'nothing else'
    test(`${name} → ${others}`, () => {
      const files = sources.filter(path => roomOf(path) === name)
      const isAllowed = (target: string) => {
        const to = roomOf(target)
        if (to === undefined) return room.packages.includes(target)
        return !isTest(target) && (to === name || room.rooms.includes(to))
      }
      const wrong = files.flatMap(path =>
        importsOf(path, read(path))
          .filter(target => !isAllowed(target))
          .map(target => `${path} imports ${target}`),
      )
      expect(files.length).toBeGreaterThan(0)
      expect(wrong).toEqual([])
    })
  }

  test('no file imports itself through other files', () => {
    const arrows = new Map(sources.map(path => [path, importsOf(path, read(path))]))
    expect(sources.flatMap(path => circleFrom(path, arrows)?.join(' → ') ?? [])).toEqual([])
  })

  test('only shared/src/server/process/config.ts reads the environment', () => {
    expect(sources.filter(path => read(path).includes('process.env'))).toEqual(['shared/src/server/process/config.ts'])
  })
})

describe('dependencies', () => {
  for (const workspace of ['shared', 'relay-server', 'bridge-server', 'extension']) {
    test(`${workspace}/package.json names the packages that its sources import, and no others`, () => {
      const { dependencies, devDependencies = {} } = JSON.parse(read(`${workspace}/package.json`))
      const named = Object.keys({ ...dependencies, ...devDependencies }).filter(name => name !== '@heliograph/shared')
      const files = [...sources.filter(path => path.startsWith(workspace)), ...buildFiles(workspace)]
      const imported = files.flatMap(path => importsOf(path, read(path))).filter(isPackage)
      expect([...new Set(imported)].toSorted()).toEqual(named.toSorted())
    })
  }
})
