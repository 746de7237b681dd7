import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect, test } from 'vitest'
import { root } from '../../test/support/root.ts'
import { type Lock, packagesOf, sbom } from './sbom.ts'

const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
const archive = { name: 'heliograph-relay-0.1.0.tgz', bytes: new Uint8Array([1, 2, 3]) }
const written = (packages: readonly string[]) => new TextDecoder().decode(sbom({ archive, packages }, lock).bytes)

test('packages are found by the paths of their modules, and nested packages by their own paths', () => {
  const modules = [
    '/r/shared/src/evm/hex.ts',
    '/r/node_modules/@noble/hashes/sha3.js',
    '/r/node_modules/@noble/hashes/utils.js',
    '/r/node_modules/ethers/node_modules/ws/index.js',
    '/r/extension/node_modules/qr/index.js',
    '\0virtual',
  ]
  const entries = ['@noble/hashes', 'ethers', 'qr', 'ws'].map(name => [`node_modules/${name}`, {}])
  const inner = ['node_modules/ethers/node_modules/ws', 'extension/node_modules/qr'].map(path => [path, {}])
  expect(packagesOf(modules, Object.fromEntries([...entries, ...inner]))).toEqual([
    'extension/node_modules/qr',
    'node_modules/@noble/hashes',
    'node_modules/ethers/node_modules/ws',
  ])
  expect(() => packagesOf(['/r/node_modules/other/index.js'], {})).toThrow('no entry for /r/node_modules/other')
})

test('the bill follows the schema and names each package with its version, licence and hash', async () => {
  const text = written(['node_modules/@noble/hashes', 'node_modules/valibot', 'node_modules/uWebSockets.js'])
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull()
  const { metadata, components, dependencies } = JSON.parse(text)
  expect(metadata).toEqual({
    component: {
      type: 'application',
      name: 'heliograph-relay',
      version: '0.1.0',
      'bom-ref': 'pkg:npm/heliograph-relay@0.1.0',
      purl: 'pkg:npm/heliograph-relay@0.1.0',
      hashes: [{ alg: 'SHA-256', content: '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81' }],
      licenses: [{ expression: 'Apache-2.0' }],
    },
  })
  expect(components.map(({ purl }: { purl: string }) => purl)).toEqual([
    expect.stringMatching(/^pkg:npm\/%40noble\/hashes@\d/),
    expect.stringMatching(/^pkg:npm\/uws-pack@\d/),
    expect.stringMatching(/^pkg:npm\/valibot@\d/),
  ])
  for (const { hashes } of components) expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/)
  expect(dependencies.find(({ ref }: { ref: string }) => ref.includes('heliograph')).dependsOn).toHaveLength(3)
})

test('the bill is the same each time, and a package that is not in the lock file is refused', () => {
  expect(written(['node_modules/valibot'])).toBe(written(['node_modules/valibot']))
  expect(() => written(['node_modules/none'])).toThrow('package-lock.json has no entry node_modules/none')
})
