/**
 * Checks the catalogue of price feeds (`extension/public/feeds.json`). Generating it downloads packages, so the tests do
 * not generate it again. They check its form, and that it has what the list of assets names.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checksumAddress } from 'viem'
import { expect, test } from 'vitest'
import { ASSETS } from '../../extension/feeds/assets.ts'
import { type FeedCatalogue, serialiseFeeds } from '../../extension/feeds/catalogue.ts'
import { HEARTBEATS, USUAL_HEARTBEAT } from '../../extension/feeds/heartbeats.ts'
import { CHAINLINK, FEED_SOURCES } from '../../extension/feeds/sources.ts'
import type { ListedNetwork } from '../../extension/src/messages.ts'
import { root } from '../support/root.ts'

const publicFile = (name: string): string => readFileSync(join(root, 'extension/public', name), 'utf8')

const file = publicFile('feeds.json')
const catalogue: FeedCatalogue = JSON.parse(file)
const listed: readonly ListedNetwork[] = JSON.parse(publicFile('networks.json'))
const contracts: Readonly<Record<string, readonly (readonly string[])[]>> = JSON.parse(publicFile('contracts.json'))
const networks = Object.entries(catalogue.networks)

const isChecksummed = (address: string) => checksumAddress(`0x${address.slice(2).toLowerCase()}`) === address
const isUnique = (all: readonly string[]) => new Set(all).size === all.length

test('the file names its sources and date, and is formatted as the generator writes it', () => {
  expect(catalogue.source).toBe(FEED_SOURCES)
  expect(catalogue.date).toMatch(/^20\d\d-\d\d-\d\d$/)
  expect(CHAINLINK.integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
  expect(file).toBe(serialiseFeeds(catalogue))
  expect(file.length).toBeLessThan(60_000)
})

test('its networks are main networks of the catalogue of networks', () => {
  expect(networks.map(([id]) => Number(id))).toEqual(Object.keys(ASSETS).map(Number))
  for (const [id] of networks) expect(listed.find(({ chainId }) => chainId === Number(id))?.testnet, id).toBe(false)
})

test('addresses have checksums, and each feed and token is listed once', () => {
  for (const [id, { feeds, tokens, uptime }] of networks) {
    const addresses = [
      ...feeds.map(([, address]) => address),
      ...tokens.map(([address]) => address),
      uptime ?? [],
    ].flat()
    expect(
      addresses.filter(address => !isChecksummed(address)),
      id,
    ).toEqual([])
    expect(isUnique(addresses), id).toBe(true)
    expect(isUnique(feeds.map(([pair]) => pair)), id).toBe(true)
  }
})

test('each feed has plausible decimals and the heartbeat of its source', () => {
  for (const [id, { feeds }] of networks)
    for (const [pair, , decimals, heartbeat] of feeds) {
      expect([8, 18], `${id} ${pair}`).toContain(decimals)
      expect(heartbeat, `${id} ${pair}`).toBe(HEARTBEATS[Number(id)]?.[pair] ?? USUAL_HEARTBEAT)
    }
  for (const [id, heartbeats] of Object.entries(HEARTBEATS))
    for (const pair of Object.keys(heartbeats))
      expect(
        catalogue.networks[id]?.feeds.some(([known]) => known === pair),
        `${id} ${pair}`,
      ).toBe(true)
})

test('each price is a chain of feeds that ends in US dollars', () => {
  for (const [id, { coin, currencies, feeds, tokens }] of networks) {
    const known = feeds.map(([pair]) => pair)
    const paths = [
      ...(coin === undefined ? [] : [[coin]]),
      ...currencies.map(code => [`${code} / USD`]),
      ...tokens.map(([, , ...pairs]) => pairs),
    ]
    for (const path of paths) {
      expect(
        path.filter(pair => !known.includes(pair)),
        id,
      ).toEqual([])
      const ends = path.map(pair => pair.split(' / '))
      expect(
        ends.map(([, quote]) => quote),
        id,
      ).toEqual([...ends.slice(1).map(([base]) => base), 'USD'])
    }
    expect(isUnique(paths.map(([pair = '']) => pair).filter(pair => pair !== coin)), id).toBe(true)
    expect(
      known.filter(pair => !paths.flat().includes(pair)),
      id,
    ).toEqual([])
  }
})

test('a coin is the coin of its network, and only its wrapped form shares its price', () => {
  for (const [id, { coin, tokens }] of networks) {
    const wrapped = contracts[id]?.find(([, , , role]) => role === 'wrapped')?.[0]
    const sharing = tokens.filter(([, , ...pairs]) => pairs.join() === coin).map(([address]) => address)
    expect(sharing, id).toEqual(wrapped !== undefined && coin !== undefined ? [wrapped] : [])
    if (coin === undefined) continue
    const symbol = listed.find(({ chainId }) => chainId === Number(id))?.symbol
    // POL replaced MATIC one to one. The feed kept its name.
    expect(coin, id).toBe(`${symbol === 'POL' ? 'MATIC' : symbol} / USD`)
  }
})
