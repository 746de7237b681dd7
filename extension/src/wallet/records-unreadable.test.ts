/** Tests of a wallet whose browser storage fails to read a record. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { RequestView } from '../messages.ts'
import { REGISTRY } from './storage/registry.ts'
import { memoryStore, type Stores } from './storage/store.ts'
import { ADDRESS, approve, connectedWallet, PASSWORD, SECOND, SITE, startNode, startWallet } from './wallet.fixture.ts'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))

/**
 * Records without which nothing is signed: the keys, the format in which everything else is written, and the settings,
 * which say what sites were granted, which networks there are, and whether to ask for the password.
 */
const ESSENTIAL = ['vault', 'format', 'settings']

/** Records that make up the state for the wallet's pages. */
const SHOWN = ['activity', 'assets', 'chains', 'contacts', 'interfaces', 'last-asked', 'sessions']

const OTHER = '0x5aeda56215b167893e80b4fe645ba6d5bab767de'

const failing = ({ local, session }: Stores, record: string): Stores => ({
  session,
  local: {
    ...local,
    get: async name => {
      if (name === record) throw new Error('Corruption: block checksum mismatch')
      return local.get(name)
    },
  },
})

const REQUESTS = {
  personal_sign: ['personal_sign', '0x68656c6c6f', ADDRESS],
  eth_signTypedData_v4: [
    'eth_signTypedData_v4',
    ADDRESS,
    {
      types: { EIP712Domain: [{ name: 'name', type: 'string' }], M: [{ name: 'to', type: 'address' }] },
      primaryType: 'M',
      domain: { name: 'X' },
      message: { to: SECOND },
    },
  ],
  eth_sendTransaction: ['eth_sendTransaction', { from: ADDRESS, to: SECOND, value: '0x1' }],
  wallet_sendCalls: [
    'wallet_sendCalls',
    {
      version: '2.0.0',
      from: ADDRESS,
      chainId: '0x7a69',
      atomicRequired: false,
      calls: [{ to: SECOND, value: '0x1' }],
    },
  ],
} satisfies Record<string, [method: string, ...params: unknown[]]>

/** Creates a wallet with data in each of its lists, and a worker that fails to read one of them. */
const start = async (record: string) => {
  const node = startNode()
  const { wallet, ask: askFirst, store } = await connectedWallet({ chain: node.chain })
  await wallet.ui.saveContact({ address: SECOND, name: 'Mira' })
  await askFirst('eth_sendTransaction', { from: ADDRESS, to: SECOND, value: '0x2' })
  const before = new Map<string, unknown>(
    await Promise.all(REGISTRY.local.map(async name => [name, await store.local.get(name)] as const)),
  )
  const seen: RequestView[] = []
  const next = startWallet({
    store: failing(store, record),
    chain: node.chain,
    person: request => {
      seen.push(request)
      return approve(request)
    },
  })
  let asked = 0
  // The prefix distinguishes these ids from the first worker's, which are taken.
  const ask = (method: string, ...params: readonly unknown[]) =>
    next.wallet.request(SITE, { id: `next ${++asked}`, method, params })
  return { wallet: next.wallet, ask, store, seen, node, before }
}

const optional = REGISTRY.local.filter(name => !ESSENTIAL.includes(name))
/** Records that reviewing and sending read. */
const READ = ['activity', 'assets', 'chains', 'contacts', 'descriptors', 'interfaces', 'seen-prices', 'sessions']

describe.each(Object.entries(REQUESTS))('%s', (_, [method, ...params]) => {
  test.each(method === 'personal_sign' ? optional : READ)('is shown and signed without %s', async record => {
    const { ask, seen, wallet, store, before } = await start(record)
    expect(await ask(method, ...params)).toBeTruthy()
    expect(seen).toHaveLength(1)
    const { unreadable = [], reset } = await wallet.ui.getState(null)
    // Only an unreadable activity record is replaced, because it must hold the transaction that the user approved.
    const isAnew = record === 'activity' && /send/i.test(method)
    expect(reset).toEqual(isAnew ? ['activity'] : [])
    expect(unreadable.filter(name => name !== record)).toEqual([])
    if (SHOWN.includes(record) && !isAnew) expect(unreadable).toEqual([record])
    if (!isAnew && record !== 'revisions' && record !== 'vault-previous')
      expect(await store.local.get(record)).toEqual(before.get(record))
  })

  test.each(ESSENTIAL)('is not signed without %s', async record => {
    const { ask, node } = await start(record)
    await expect(ask(method, ...params)).rejects.toMatchObject({ code: -32603 })
    expect(node.sent).toHaveLength(1)
  })
})

test.each(optional)('after a browser restart, the wallet unlocks and signs without %s', async record => {
  const { store, node } = await start(record)
  const stores = failing({ local: store.local, session: memoryStore() }, record)
  const { wallet, ask } = startWallet({ store: stores, chain: node.chain })
  await wallet.resume()
  await wallet.ui.unlock({ password: PASSWORD })
  expect(await ask('personal_sign', '0x68656c6c6f', ADDRESS)).toMatch(/^0x[0-9a-f]{130}$/)
  const { sites, reset } = await wallet.ui.getState(null)
  expect([sites.length, reset]).toEqual([1, record === 'revisions' ? ['revisions'] : []])
})

test.each([
  ['contacts', 'contactsMissing'],
  ['activity', 'activityMissing'],
  ['assets', 'assetsMissing'],
])('a request says that %s could not be read', async (record, name) => {
  const { ask, seen } = await start(record)
  await ask('personal_sign', '0x68656c6c6f', ADDRESS)
  await ask('eth_sendTransaction', { from: ADDRESS, to: SECOND, value: '0x1' })
  for (const { findings } of seen) expect(findings).toContainEqual({ level: 'caution', name, values: [] })
})

test('calls are not sent without the bundles, which wallet_getCallsStatus needs', async () => {
  const { ask, node } = await start('bundles')
  await expect(ask(...REQUESTS.wallet_sendCalls)).rejects.toMatchObject({ code: -32603 })
  expect(node.sent).toHaveLength(1)
})

test('a price that the storage fails to read or write once does not stop a transaction', async () => {
  for (const access of ['get', 'set'] as const) {
    const { store, node } = await start('none')
    let left = 1
    const failingOnce = async (name: string, value: unknown) => {
      if (name === 'seen-prices' && left-- > 0) throw new Error('QuotaExceededError')
      return access === 'get' ? store.local.get(name) : store.local.set(name, value)
    }
    const local = { ...store.local, [access]: failingOnce }
    const { wallet } = startWallet({ store: { ...store, local }, chain: node.chain })
    const [method, ...params] = REQUESTS.eth_sendTransaction
    expect(await wallet.request(SITE, { id: access, method, params })).toMatch(/^0x[0-9a-f]{64}$/)
    expect(left).toBeLessThan(1)
  }
})

test.each(['activity', 'sessions', 'contacts'])('periodic work is done without %s', async record => {
  const { wallet } = await start(record)
  expect(await wallet.tend()).toBeDefined()
})

test.each(['contacts', 'activity'])('the review of a typed address says that %s could not be read', async record => {
  const { wallet } = await start(record)
  const { findings } = await wallet.ui.reviewAddress({ address: OTHER, chainId: 31337 })
  expect(findings).toContainEqual({ level: 'caution', name: `${record}Missing`, values: [] })
})

test('a list that cannot be read is not overwritten, and the error names it', async () => {
  const { wallet, store, before } = await start('contacts')
  await expect(wallet.ui.saveContact({ address: OTHER, name: 'Ann' })).rejects.toMatchObject({
    reason: 'recordUnreadable',
    values: { name: 'contacts' },
  })
  expect(await store.local.get('contacts')).toEqual(before.get('contacts'))
})

test('once the record can be read again, everything is there', async () => {
  const { store } = await start('contacts')
  const { contacts, unreadable, reset } = await startWallet({ store }).wallet.ui.getState(null)
  expect([contacts.length, unreadable, reset]).toEqual([1, [], []])
})
