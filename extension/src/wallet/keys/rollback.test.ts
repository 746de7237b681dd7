/** Another program deletes records or writes back earlier versions; then a new worker starts. */
import { describe, expect, test } from 'vitest'
import { memoryStore, type Stores } from '../storage/store.ts'
import {
  ADDRESS,
  ADDRESS_LOWER,
  connectedWallet,
  createdWallet,
  PASSWORD,
  PHRASE,
  recordingWallet,
  SECOND,
  SITE,
  startNode,
  startWallet,
} from '../wallet.fixture.ts'

const MIRA = '0x5aeda56215b167893e80b4fe645ba6d5bab767de'
const LOOK_ALIKE = '0x5aed1111111111111111111111111111111167de'

/** Starts the next worker: in the same session, or after a browser restart and an unlock. */
const WORKERS: [string, (stores: Stores) => Promise<ReturnType<typeof startWallet>>][] = [
  ['of the same session', async store => startWallet({ store })],
  [
    'after a restart',
    async ({ local }) => {
      const headless = startWallet({ store: { local, session: memoryStore() } })
      await headless.wallet.ui.unlock({ password: PASSWORD })
      return headless
    },
  ],
]

describe.each(WORKERS)('a worker %s', (_, start) => {
  test('a disconnected site stays disconnected when the earlier settings are written back', async () => {
    const { wallet, store } = await connectedWallet()
    const copy = await store.local.get('settings')
    await wallet.ui.disconnectSite({ origin: SITE })
    await store.local.set('settings', copy)
    const { ask, wallet: next } = await start(store)
    expect(await ask('eth_accounts')).toEqual([])
    expect((await next.ui.getState(null)).reset).toEqual(['settings'])
  })

  test('the password is still required when the settings from before it was required are written back', async () => {
    const { wallet, store } = await connectedWallet()
    const copy = await store.local.get('settings')
    await wallet.ui.setSafety({ asksPassword: true })
    await store.local.set('settings', copy)
    const { safety, reset } = await (await start(store)).wallet.ui.getState(null)
    expect([safety.asksPassword, reset]).toEqual([true, ['settings']])
  })

  test('if nothing was changed, the site stays connected, and there is no notice', async () => {
    const { wallet, store } = await connectedWallet()
    await wallet.ui.saveContact({ address: MIRA, name: 'Mira' })
    const { ask, wallet: next } = await start(store)
    expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
    const { contacts, reset } = await next.ui.getState(null)
    expect([contacts.length, reset]).toEqual([1, []])
  })

  test('deleted activity is reported', async () => {
    const { ask, store } = await connectedWallet({ chain: startNode().chain })
    await ask('eth_sendTransaction', { from: ADDRESS, to: SECOND, value: '0x1' })
    await store.local.remove('activity')
    const { activity, reset } = await (await start(store)).wallet.ui.getState(null)
    expect([activity, reset]).toEqual([[], ['activity']])
  })

  test('a new wallet has no notice', async () => {
    const { store } = await createdWallet()
    expect((await (await start(store)).wallet.ui.getState(null)).reset).toEqual([])
  })

  test('after a wallet was removed, a new wallet has no notice and starts with its own lists', async () => {
    const { wallet, ask, store } = await connectedWallet({ chain: startNode().chain })
    await wallet.ui.saveContact({ address: MIRA, name: 'Mira' })
    await ask('eth_sendTransaction', { from: ADDRESS, to: SECOND, value: '0x1' })
    await wallet.ui.removeWallet({ password: PASSWORD })
    await wallet.ui.createVault({ password: PASSWORD, phrase: PHRASE })
    await wallet.ui.saveContact({ address: SECOND, name: 'Ann' })
    for (const { ui } of [wallet, (await start(store)).wallet]) {
      const { contacts, activity, reset } = await ui.getState(null)
      expect([contacts.map(({ name }) => name), activity, reset]).toEqual([['Ann'], [], []])
    }
  })
})

test("reviewing a payment to a deleted contact's look-alike warns that contacts are missing", async () => {
  const node = startNode()
  const { wallet, ask, store, seen } = await recordingWallet({ chain: node.chain })
  await wallet.ui.saveContact({ address: MIRA, name: 'Mira' })
  await ask('eth_sendTransaction', { from: ADDRESS, to: LOOK_ALIKE, value: '0x1' })
  expect(seen.at(-1)?.findings).toContainEqual(expect.objectContaining({ level: 'danger' }))
  await store.local.remove('contacts')
  const next = startWallet({ store, chain: node.chain, person: request => void seen.push(request) })
  const params = [{ from: ADDRESS, to: LOOK_ALIKE, value: '0x1' }]
  void next.wallet.request(SITE, { id: 'again', method: 'eth_sendTransaction', params }).catch(() => undefined)
  await expect.poll(() => seen.length).toBe(2)
  expect(seen.at(-1)?.findings).toContainEqual({ level: 'caution', name: 'contactsMissing', values: [] })
  expect((await next.wallet.ui.getState(null)).reset).toEqual(['contacts'])
  const { findings } = await next.wallet.ui.reviewAddress({ address: LOOK_ALIKE, chainId: 31337 })
  expect(findings.map(({ name }) => name)).toEqual(['contactsMissing', 'firstRecipient'])
})
