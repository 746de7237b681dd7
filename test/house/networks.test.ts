/**
 * Checks the catalogue of networks (`extension/public/networks.json`) and their marks: generated from their sources, and
 * safe to show and contact.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { networkCatalogue, networkMarks, opStackSource } from '../../extension/networks/catalogue.ts'
import { OPERATORS } from '../../extension/networks/nodes.ts'
import type { ListedNetwork } from '../../extension/src/messages.ts'
import { opStackChains } from '../../extension/src/wallet/fees/op-stack.ts'
import { OFFERED_CHAINS, OFFERED_OPERATORS, offeredNetworks } from '../../extension/src/wallet/networks/public-nodes.ts'
import { toRpcUrl } from '../../extension/src/wallet/networks/rpc-url.ts'
import { defaultNetworks } from '../../shared/src/network.ts'
import { root } from '../support/root.ts'

const MARKS = 'extension/public/network-marks.json'

const file = readFileSync(join(root, 'extension/public/networks.json'), 'utf8')
const networks: readonly ListedNetwork[] = JSON.parse(file)
const urls = networks.flatMap(({ nodes }) => nodes.map(({ url }) => url))

test('the file is what `npm run networks` writes', () => {
  expect(file).toBe(networkCatalogue())
})

test('it has at least 60 networks and their test networks, each once, by chain id', () => {
  expect(networks.filter(({ testnet }) => !testnet).length).toBeGreaterThanOrEqual(60)
  expect(networks.filter(({ testnet }) => testnet).length).toBeGreaterThanOrEqual(50)
  const ids = networks.map(({ chainId }) => chainId)
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
  const titles = networks.map(({ title }) => title.toLowerCase())
  expect(new Set(titles).size).toBe(titles.length)
})

test('a network has two or three public nodes, a test network at least one, and no node serves two networks', () => {
  for (const { title, testnet, nodes } of networks) {
    expect(nodes.length, title).toBeGreaterThanOrEqual(testnet ? 1 : 2)
    expect(nodes.length, title).toBeLessThanOrEqual(3)
    expect(new Set(nodes.map(({ operator }) => operator)).size, title).toBe(nodes.length)
  }
  expect(new Set(urls).size).toBe(urls.length)
})

test('nodes and explorers are https URLs in the form that the wallet stores, without a key or a query', () => {
  const explorers = networks.flatMap(({ explorerUrl }) => explorerUrl ?? [])
  expect(explorers.length).toBeGreaterThan(100)
  for (const url of [...urls, ...explorers]) {
    expect(toRpcUrl(url)).toBe(url)
    const { protocol, search, hash, pathname } = new URL(url)
    expect([protocol, search, hash], url).toEqual(['https:', '', ''])
    expect(pathname, url).not.toMatch(/[0-9a-f]{16}/i)
  }
})

test("names and symbols fit into the wallet's fields", () => {
  for (const { title, symbol } of networks) {
    expect(title, title).toMatch(/^[\x20-\x7e]{1,50}$/)
    expect(symbol, title).toMatch(/^[\x21-\x7e]{1,11}$/)
  }
})

test('built-in networks have the same currency as in the catalogue', () => {
  for (const { chainId, title, currency } of defaultNetworks)
    expect(networks).toContainEqual(expect.objectContaining({ chainId, title, symbol: currency.symbol }))
})

test('every operator operates a node', () => {
  for (const [suffix, operator] of Object.entries(OPERATORS))
    expect(
      networks.some(({ nodes }) =>
        nodes.some(node => node.operator === operator && new URL(node.url).host.endsWith(suffix)),
      ),
      suffix,
    ).toBe(true)
})

test('every network of the offer has one node of each operator that the offer names', () => {
  const offered = offeredNetworks(networks)
  expect(offered.map(({ chainId }) => chainId)).toEqual(OFFERED_CHAINS)
  for (const { title, nodes } of offered)
    expect(
      nodes.map(({ operator }) => operator),
      title,
    ).toEqual(OFFERED_OPERATORS)
})

test('the list of OP Stack chains is what `npm run networks` writes, and names no other network', () => {
  expect(readFileSync(join(root, 'extension/src/wallet/fees/op-stack.ts'), 'utf8')).toBe(opStackSource())
  for (const chainId of [10, 130, 480, 8453, 57073, 7777777, 11155420]) expect(opStackChains.has(chainId)).toBe(true)
  // 999 was a Zora testnet, and is HyperEVM today.
  for (const chainId of [1, 56, 137, 324, 999, 8217, 42161, 42170]) expect(opStackChains.has(chainId)).toBe(false)
})

const marks: readonly { chainIds: readonly number[]; hue: number; fill?: string; line?: string }[] = JSON.parse(
  readFileSync(join(root, MARKS), 'utf8'),
)

test('the marks are what `npm run networks` writes, small, and drawn with path data only', () => {
  const written = readFileSync(join(root, MARKS), 'utf8')
  expect(written).toBe(networkMarks())
  expect(gzipSync(written).length).toBeLessThan(5_000)
  for (const { fill, line } of marks) expect(`${fill ?? ''}${line ?? ''}`).toMatch(/^[MLHVACSZmlhvacsz\d .-]+$/)
})

test("each network of the catalogue has one mark, and a test network has its main network's mark", () => {
  const marked = marks.flatMap(({ chainIds }) => chainIds)
  expect(marked.toSorted((a, b) => a - b)).toEqual(networks.map(({ chainId }) => chainId))
  const { testnets, mains } = {
    testnets: new Set(networks.filter(({ testnet }) => testnet).map(({ chainId }) => chainId)),
    mains: marks.map(({ chainIds: [first] }) => first),
  }
  expect(mains.some(chainId => testnets.has(chainId ?? 0))).toBe(false)
  for (const { chainIds } of marks) expect(chainIds.slice(1).every(chainId => testnets.has(chainId))).toBe(true)
  for (const [main, test] of [
    [1, 11155111],
    [1, 560048],
    [8453, 84532],
    [42161, 421614],
    [1284, 1287],
    [137, 80002],
  ])
    expect(marks.find(({ chainIds }) => chainIds[0] === main)?.chainIds, String(main)).toContain(test)
})

test('no two marks have the same shape, and neighbours in the list differ in colour', () => {
  const shapes = marks.map(({ fill, line }) => `${fill} ${line}`)
  expect(new Set(shapes).size).toBe(shapes.length)
  const least = Math.min(
    ...marks.slice(1).map(({ hue }, at) => {
      const apart = Math.abs(hue - (marks[at]?.hue ?? 0))
      return Math.min(apart, 360 - apart)
    }),
  )
  expect(least).toBeGreaterThanOrEqual(20)
})
