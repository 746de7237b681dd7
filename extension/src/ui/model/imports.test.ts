import { expect, test } from 'vitest'
import type { EntryReview, ImportEntry } from '../../messages.ts'
import { chooseAll, chosenEntries, groupOf, isOpen, listedAs, rowsOf, withNode } from './imports.ts'

const review = (change: Partial<EntryReview>): EntryReview => ({
  verdict: 'new',
  reason: null,
  address: null,
  nodes: [],
  findings: [],
  ...change,
})
const mira: ImportEntry = { kind: 'watchOnly', address: '0x01', name: 'Mira' }
const shop: ImportEntry = { kind: 'contact', address: '0x02', name: 'Shop' }
const network = (chainId: number): ImportEntry => ({
  kind: 'network',
  chainId,
  title: 'Orbit',
  symbol: 'OTT',
  explorerUrl: '',
  rpcUrls: ['https://one.example/', 'https://two.example/'],
})
const nodes = [
  { url: 'https://one.example/', reason: null },
  { url: 'https://two.example/', reason: null },
]

const entries = [network(1), network(2), mira, shop]
const reviews = [
  review({ verdict: 'known', nodes }),
  review({ nodes, findings: [{ level: 'caution', name: 'unlistedNetwork', values: [] }] }),
  review({}),
  review({ verdict: 'refused' }),
]

test('new entries come first and are selected, except those with findings', () => {
  const rows = rowsOf(entries, reviews)
  expect(rows.map(({ entry, isChosen }) => [entry, isChosen])).toEqual([
    [entries[1], false],
    [entries[2], true],
    [entries[0], false],
    [entries[3], false],
  ])
  expect(groupOf(rows, 'networks')).toHaveLength(2)
  expect(chosenEntries(rows)).toEqual([mira])
})

test('only new entries can be chosen', () => {
  const rows = rowsOf(entries, reviews)
  expect(chosenEntries(chooseAll(rows, rows, true))).toEqual([{ ...network(2), rpcUrls: [] }, mira])
  expect(chosenEntries(chooseAll(rows, rows, false))).toEqual([])
})

test('a selected node is imported with its network, if that is in the wallet or selected', () => {
  const rows = rowsOf(entries, reviews).map(row => withNode(row, 'https://two.example/', true))
  expect(chosenEntries(rows)).toEqual([mira, { ...network(1), rpcUrls: ['https://two.example/'] }])
  const none = rows.map(row => withNode(row, 'https://two.example/', false))
  expect(chosenEntries(none)).toEqual([mira])
})

test('listed addresses become accounts or contacts', () => {
  expect(listedAs([mira, shop, network(1)], 'contact')).toEqual([{ ...mira, kind: 'contact' }, shop, network(1)])
})

const relay = (url: string): ImportEntry => ({ kind: 'item', section: 'relays', value: { url } })

test('conflicts come first, and only the user selects them, one by one', () => {
  const items = [relay('wss://new.example'), relay('wss://other.example'), relay('wss://known.example')]
  const rows = rowsOf(items, [review({}), review({ verdict: 'conflict' }), review({ verdict: 'known' })])
  expect(rows.map(({ entry, isChosen }) => [entry, isChosen])).toEqual([
    [items[1], false],
    [items[0], true],
    [items[2], false],
  ])
  expect(rows.map(isOpen)).toEqual([true, true, false])
  expect(chosenEntries(chooseAll(rows, rows, true))).toEqual([items[0]])
  expect(chosenEntries(rows.map(row => ({ ...row, isChosen: isOpen(row) })))).toEqual([items[1], items[0]])
  expect(groupOf(rows, 'relays')).toHaveLength(3)
})

test('a caution does not deselect an item of a backup, and a danger does', () => {
  const finding = (level: 'caution' | 'danger') =>
    review({ findings: [{ level, name: 'unlistedNetwork', values: [] }] })
  const rows = rowsOf([relay('wss://a.example'), relay('wss://b.example')], [finding('caution'), finding('danger')])
  expect(rows.map(({ isChosen }) => isChosen)).toEqual([true, false])
})
