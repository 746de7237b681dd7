/** The lock file: complete for every platform, so that every npm accepts it, and free of download addresses. */
import { expect, test } from 'vitest'
import { read } from './sources.ts'

type Entry = {
  version?: string
  resolved?: string
  link?: boolean
  integrity?: string
  optional?: boolean
  optionalDependencies?: Record<string, string>
}

const packages: Record<string, Entry> = JSON.parse(read('package-lock.json')).packages
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

test('each optional dependency has an entry, also those of other platforms', () => {
  const missing = installed.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      name => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
    ),
  )
  expect(missing).toEqual([])
})

test('no entry names where it is downloaded from', () => {
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

test('each package that is not optional is pinned by its hash', () => {
  expect(installed.filter(([, { integrity, optional }]) => !integrity && !optional)).toEqual([])
})

test('our own code and all that it uses share one copy of each cryptographic package', () => {
  const copies = installed.map(([path]) => path).filter(path => /node_modules\/@(noble|scure)\//.test(path))
  // Beside what the libraries of sites bring, and the clients of others through `ox`, which are for tests alone.
  const nested = copies.filter(path => !/^node_modules\/(@|ethers\/|ethereum-cryptography\/|viem\/|ox\/)/.test(path))
  expect(copies.length).toBeGreaterThan(0)
  expect(nested).toEqual([])
})

test('our own packages are linked, and every version is exact', () => {
  const links = Object.entries(packages).filter(([, { link }]) => link)
  expect(links.map(([path]) => path)).toHaveLength(4)
  const named = ['.', 'shared', 'relay-server', 'bridge-server', 'extension'].flatMap(folder => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read(`${folder}/package.json`))
    return Object.entries<string>({ ...dependencies, ...devDependencies })
  })
  expect(
    named.filter(([, version]) => !/^(npm:(@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-beta\.\d+)?$/.test(version)),
  ).toEqual([])
})
