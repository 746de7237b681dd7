import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { MAX_OF_METHOD } from '../requests/gate.ts'
import { memoryStore } from '../storage/store.ts'
import {
  ADDRESS,
  ADDRESS_LOWER,
  approve,
  chainOf,
  connectedWallet,
  NOW,
  OTHER_SITE,
  PASSWORD,
  type Person,
  PUBLIC_NETWORKS,
  SECOND,
  SITE,
  startWallet,
  undecided,
} from '../wallet.fixture.ts'

const orbit = {
  chainId: '0x15838',
  chainName: 'Orbit',
  rpcUrls: ['https://rpc.orbit.example'],
  nativeCurrency: { symbol: 'OTT', decimals: 18 },
}

const start = async (person: Person = approve) => {
  const headless = await connectedWallet({ person, chain: chainOf({ eth_chainId: () => '0x15838' }) })
  const site = async (origin = SITE) =>
    (await headless.wallet.ui.getState(null)).sites.find(view => view.origin === origin)
  return { ...headless, site }
}

test('connected sites are listed with their accounts, but not while locked', async () => {
  const { wallet, site } = await start()
  expect(await site()).toEqual({
    origin: SITE,
    since: 1_700_000_000_000,
    accounts: [ADDRESS],
    chainId: null,
    asMetaMask: false,
    asEthereum: false,
    readsLocalNode: false,
    isBlocked: false,
    subscriptions: 0,
    asked: { kind: 'connect', at: NOW, outcome: 'approved' },
  })
  await wallet.ui.lock(null)
  expect((await wallet.ui.getState(null)).sites).toEqual([])
})

test("the state contains the active tab's site", async () => {
  expect(await (await start()).wallet.ui.getActiveSite(null)).toEqual({ origin: SITE })
})

test('a site can have its own network, and its pages are notified of changes', async () => {
  const { wallet, ask, events, site } = await start()
  await wallet.ui.setSiteNetwork({ origin: SITE, chainId: 8217 })
  expect([await ask('eth_chainId'), (await site())?.chainId]).toEqual(['0x2019', 8217])
  await wallet.ui.selectNetwork({ chainId: 8217 })
  await wallet.ui.setSiteNetwork({ origin: SITE, chainId: null })
  expect((await site())?.chainId).toBeNull()
  expect(events).toEqual([
    { event: 'chainChanged', origin: SITE, data: '0x2019' },
    { event: 'chainChanged', except: [SITE], data: '0x2019' },
  ])
  await expect(wallet.ui.setSiteNetwork({ origin: SITE, chainId: 5 })).rejects.toMatchObject({ code: 4902 })
})

test("the provider's appearance is chosen per site, even for unconnected ones", async () => {
  const { wallet, choices, site, store } = await start()
  const choice = { origin: OTHER_SITE, asMetaMask: true, asEthereum: false }
  await wallet.ui.setSiteChoice(choice)
  expect(choices).toEqual([[{ ...choice, readsLocalNode: false, isBlocked: false }]])
  expect(await site(OTHER_SITE)).toMatchObject({ since: null, accounts: [], asMetaMask: true })
  expect((await startWallet({ store }).wallet.ui.getState(null)).sites).toHaveLength(2)
  await wallet.ui.setSiteChoice({ ...choice, asMetaMask: false })
  expect(choices.at(-1)).toEqual([])
  expect(await site(OTHER_SITE)).toBeUndefined()
})

test('changed site settings are applied when the change resolves, so a page loaded then uses them', async () => {
  let applied: readonly unknown[] = []
  const onChoices = async (choices: readonly unknown[]) => {
    await pause(50)
    applied = choices
  }
  const { wallet, store } = await connectedWallet({ onChoices })
  await wallet.ui.setSiteChoice({ origin: SITE, asMetaMask: true, asEthereum: false })
  expect(applied).toMatchObject([{ origin: SITE, asMetaMask: true }])
  await wallet.ui.setSiteChoice({ origin: OTHER_SITE, asMetaMask: true, asEthereum: false })
  await wallet.ui.disconnectSite({ origin: SITE })
  expect(applied).toMatchObject([{ origin: OTHER_SITE }])

  applied = []
  const restarted = startWallet({ store: { ...store, session: memoryStore() }, onChoices })
  await restarted.wallet.ui.unlock({ password: PASSWORD })
  expect(applied).toMatchObject([{ origin: OTHER_SITE }])
  await restarted.wallet.ui.removeWallet({ password: PASSWORD })
  expect(applied).toEqual([])
})

test('an invalid origin is rejected', async () => {
  const { wallet, choices } = await start()
  for (const origin of [
    '',
    'site.example',
    `${SITE}/`,
    `${SITE}/*`,
    '*://*',
    'file:///',
    'null',
    'chrome://extensions',
  ]) {
    const choice = { origin, asMetaMask: true, asEthereum: true }
    await expect(wallet.ui.setSiteChoice(choice), origin).rejects.toMatchObject({ code: -32602 })
    await expect(wallet.ui.setSiteNetwork({ origin, chainId: 1 }), origin).rejects.toMatchObject({ code: -32602 })
  }
  expect(choices).toEqual([])
})

test('disconnecting a site removes its accounts, requests, network and settings', async () => {
  const { wallet, ask, events, site } = await start(undecided)
  await wallet.ui.setSiteNetwork({ origin: SITE, chainId: 1 })
  await wallet.ui.setSiteChoice({ origin: SITE, asMetaMask: true, asEthereum: true })
  const waiting = ask('personal_sign', 'hello', ADDRESS).catch(({ message }) => message)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  events.length = 0
  await wallet.ui.disconnectSite({ origin: SITE })
  expect(await waiting).toBe('The site was disconnected')
  expect(await site()).toBeUndefined()
  expect(await ask('eth_accounts')).toEqual([])
  expect(events).toEqual([
    { event: 'accountsChanged', origin: SITE, data: [] },
    { event: 'chainChanged', origin: SITE, data: '0x7a69' },
  ])
})

test("removing a network ends its requests, and its sites use the wallet's network again", async () => {
  const decisions: Person[] = [approve]
  const { wallet, ask, events } = await start(request => (decisions.shift() ?? undecided)(request))
  await ask('wallet_addEthereumChain', orbit)
  const waiting = ask('personal_sign', 'hello', ADDRESS).catch(({ code }) => code)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  events.length = 0
  await wallet.ui.removeNetwork({ chainId: 88_120 })
  expect(await waiting).toBe(4001)
  expect((await wallet.ui.getState(null)).networks).toHaveLength(3)
  expect(events).toEqual([{ event: 'chainChanged', origin: SITE, data: '0x7a69' }])
})

test('removing the selected network selects the first one for the wallet and its sites', async () => {
  const { wallet, ask, events } = await start()
  await ask('wallet_addEthereumChain', orbit)
  await wallet.ui.selectNetwork({ chainId: 88_120 })
  events.length = 0
  await wallet.ui.removeNetwork({ chainId: 88_120 })
  expect((await wallet.ui.getState(null)).chainId).toBe(31337)
  expect(events).toEqual([
    { event: 'chainChanged', origin: SITE, data: '0x7a69' },
    { event: 'chainChanged', except: [SITE], data: '0x7a69' },
  ])
})

test('only added networks can be removed', async () => {
  const { wallet, ask } = await start()
  await ask('wallet_addEthereumChain', orbit)
  for (const chainId of [1, 31337])
    await expect(wallet.ui.removeNetwork({ chainId })).rejects.toMatchObject({ code: -32602 })
  const { networks } = await wallet.ui.getState(null)
  expect(networks.filter(({ added }) => added).map(({ chainId }) => chainId)).toEqual([88_120])
  expect(networks).toHaveLength(4)
})

test("the wallet's account and network are chosen separately from a site's", async () => {
  const { wallet, ask, events, site } = await start()
  const { address: second } = await wallet.ui.addAccount({ name: 'Second' })
  events.length = 0
  await wallet.ui.selectAccount({ address: second })
  expect([await ask('eth_accounts'), events]).toEqual([[ADDRESS_LOWER], []])

  await wallet.ui.selectAccount({ address: ADDRESS })
  for (const _ of ['once', 'again']) {
    await wallet.ui.useAccount({ origin: SITE, address: second })
    await wallet.ui.setSiteNetwork({ origin: SITE, chainId: 1 })
  }
  const both = [second.toLowerCase(), ADDRESS_LOWER]
  expect([await ask('eth_accounts'), await ask('eth_chainId')]).toEqual([both, '0x1'])
  const { selected, chainId } = await wallet.ui.getState(null)
  expect([selected, chainId]).toEqual([ADDRESS, 31337])
  await wallet.ui.selectNetwork({ chainId: 8217 })
  expect(await site()).toMatchObject({ accounts: [second, ADDRESS], chainId: 1 })
  expect(events).toEqual([
    { event: 'accountsChanged', origin: SITE, data: both },
    { event: 'chainChanged', origin: SITE, data: '0x1' },
    { event: 'chainChanged', except: [SITE], data: '0x2019' },
  ])
})

test('a site whose account is hidden uses its next one, and is disconnected if there is none', async () => {
  const { wallet, events, site } = await start()
  const { address: second } = await wallet.ui.addAccount({ name: 'Second' })
  await wallet.ui.useAccount({ origin: SITE, address: second })
  events.length = 0
  await wallet.ui.hideAccount({ address: second })
  expect((await site())?.accounts).toEqual([ADDRESS])
  await wallet.ui.showAccount({ address: second })
  expect((await site())?.accounts).toEqual([ADDRESS])
  await wallet.ui.hideAccount({ address: ADDRESS })
  expect(await site()).toBeUndefined()
  expect(events).toEqual([
    { event: 'accountsChanged', origin: SITE, data: [ADDRESS_LOWER] },
    { event: 'accountsChanged', origin: SITE, data: [] },
  ])
})

test('the user can give a site an existing account while unlocked', async () => {
  const { wallet, site, events } = await start()
  await wallet.ui.useAccount({ origin: OTHER_SITE, address: ADDRESS })
  expect(await site(OTHER_SITE)).toMatchObject({ accounts: [ADDRESS] })
  expect(events).toEqual([{ event: 'accountsChanged', origin: OTHER_SITE, data: [ADDRESS_LOWER] }])
  const unknown = { origin: SITE, address: SECOND }
  await expect(wallet.ui.useAccount(unknown)).rejects.toMatchObject({ code: -32602 })
  await expect(wallet.ui.useAccount({ origin: 'site', address: ADDRESS })).rejects.toMatchObject({ code: -32602 })
  await wallet.ui.lock(null)
  await expect(wallet.ui.useAccount({ origin: SITE, address: ADDRESS })).rejects.toMatchObject({ code: 4100 })
})

test('a muted site is shown and can be unmuted, and rejecting all counts once', async () => {
  const { wallet, ask, state, shown } = await start(undecided)
  const reject = async (count: number) => {
    const asked = Array.from({ length: count }, () => ask('personal_sign', 'hello', ADDRESS).catch(({ code }) => code))
    await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(count)
    await wallet.ui.rejectAll(null)
    expect(await Promise.all(asked)).toEqual(Array(count).fill(4001))
  }
  for (const count of [5, 5, 1]) await reject(count)
  // Rejecting all is a user action, which resets the limit of 3 openings. So 5, 5 and 1 requests opened 3, 3 and 1
  // times.
  expect(shown.filter(act => act === 'approval')).toHaveLength(3 + 3 + 1)
  const muted = { origin: SITE, until: NOW + 60_000, peer: null }
  expect((await wallet.ui.getState(null)).muted).toEqual([{ ...muted, asked: false }])
  for (const _ of [1, 2]) await expect(ask('personal_sign', 'hello', ADDRESS)).rejects.toMatchObject({ code: -32005 })
  await expect.poll(() => state()?.muted).toEqual([{ ...muted, asked: true }])
  await wallet.ui.allowRequests({ origin: SITE })
  expect((await wallet.ui.getState(null)).muted).toEqual([])
  for (const _ of [1, 2, 3]) await reject(1)
  expect((await wallet.ui.getState(null)).muted).toHaveLength(1)
  // A user action on the site also unmutes it.
  await wallet.ui.useAccount({ origin: SITE, address: ADDRESS })
  expect((await wallet.ui.getState(null)).muted).toEqual([])
  await reject(1)
})

test('a muted site gets an answer if no decision is needed any more', async () => {
  const { wallet, ask } = await start(undecided)
  await wallet.ui.lock(null)
  for (let count = 0; count < MAX_OF_METHOD; count++) {
    const asked = ask('eth_requestAccounts').catch(({ code }) => code)
    await expect.poll(async () => (await wallet.ui.getState(null)).waiting).toHaveLength(1)
    await wallet.ui.rejectAll(null)
    expect(await asked).toBe(4001)
  }
  await expect(ask('eth_requestAccounts')).rejects.toMatchObject({ code: -32005 })
  await wallet.ui.unlock({ password: PASSWORD })
  expect(await ask('eth_requestAccounts')).toEqual([ADDRESS_LOWER])
})

test("a connected site's last request is kept, with its outcome but without its content", async () => {
  const decisions: Person[] = [() => ({ approve: false })]
  const { ask, site, wallet } = await start(request => (decisions.shift() ?? approve)(request))
  await ask('personal_sign', 'a secret', ADDRESS).catch(() => undefined)
  expect((await site())?.asked).toEqual({ kind: 'message', at: NOW, outcome: 'rejected' })
  await ask('personal_sign', 'a secret', ADDRESS)
  expect((await site())?.asked).toEqual({ kind: 'message', at: NOW, outcome: 'approved' })
  expect(JSON.stringify((await wallet.ui.getState(null)).sites)).not.toContain('secret')
  await ask('wallet_revokePermissions', { eth_accounts: {} })
  await wallet.ui.useAccount({ origin: SITE, address: ADDRESS })
  expect((await site())?.asked).toBeNull()
})

test('an account is withdrawn with its requests, and the last one disconnects the site', async () => {
  const { wallet, ask, events, site } = await start(undecided)
  const { address: second } = await wallet.ui.addAccount({ name: 'Second' })
  await wallet.ui.useAccount({ origin: SITE, address: second })
  const waiting = ask('personal_sign', 'hello', ADDRESS).catch(({ message }) => message)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  events.length = 0
  for (const _ of ['once', 'again']) await wallet.ui.withdrawAccount({ origin: SITE, address: ADDRESS_LOWER })
  expect(await waiting).toBe('The site was disconnected')
  expect((await site())?.accounts).toEqual([second])
  expect(await ask('wallet_getPermissions')).toMatchObject([{ caveats: [{ value: [second.toLowerCase()] }] }])
  await wallet.ui.withdrawAccount({ origin: SITE, address: second })
  expect(await ask('wallet_getPermissions')).toEqual([])
  expect(events).toEqual([
    { event: 'accountsChanged', origin: SITE, data: [second.toLowerCase()] },
    { event: 'accountsChanged', origin: SITE, data: [] },
  ])
})

test("a blocked site's requests, even pending ones, are rejected without being shown until it is allowed", async () => {
  const { wallet, ask, shown } = await start(undecided)
  const waiting = ask('personal_sign', 'hello', ADDRESS).catch(({ code }) => code)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  await wallet.ui.setSiteChoice({ origin: SITE, isBlocked: true })
  expect(await waiting).toBe(4001)
  const before = shown.length
  await expect(ask('personal_sign', 'hello', ADDRESS)).rejects.toMatchObject({ code: 4001, reason: 'siteBlocked' })
  expect(await ask('eth_accounts')).toEqual([ADDRESS_LOWER])
  // The site cannot remove the block itself.
  await ask('wallet_revokePermissions', { eth_accounts: {} })
  await expect(ask('eth_requestAccounts')).rejects.toMatchObject({ code: 4001, reason: 'siteBlocked' })
  expect(shown.length).toBe(before)
  await wallet.ui.disconnectSite({ origin: SITE })
  ask('eth_requestAccounts').catch(() => undefined)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
})

test('disconnecting also rejects requests without an account, and removes subscriptions and filters', async () => {
  const { wallet, ask } = await connectedWallet({
    person: undecided,
    networks: PUBLIC_NETWORKS,
    chain: chainOf({
      eth_chainId: () => '0x15838',
      eth_getBlockByNumber: () => ({ number: '0x1', hash: '0x01' }),
      eth_newBlockFilter: () => '0xf1',
      eth_getFilterChanges: () => [],
      eth_uninstallFilter: () => true,
    }),
  })
  await wallet.request(SITE, { id: 'sub', method: 'eth_subscribe', params: ['newHeads'], page: 'page' })
  const id = await ask('eth_newBlockFilter')
  expect((await wallet.ui.getState(null)).sites).toMatchObject([{ subscriptions: 1 }])
  const waiting = ask('wallet_addEthereumChain', orbit).catch(({ code }) => code)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  await wallet.ui.disconnectSite({ origin: SITE })
  expect(await waiting).toBe(4001)
  await wallet.ui.useAccount({ origin: SITE, address: ADDRESS })
  expect((await wallet.ui.getState(null)).sites).toMatchObject([{ subscriptions: 0, asked: null }])
  await expect(ask('eth_getFilterChanges', id)).rejects.toMatchObject({ code: expect.any(Number) })
})
