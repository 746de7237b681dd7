import { expect, test } from 'vitest'
import {
  ADDRESS,
  ADDRESS_LOWER,
  approve,
  chainOf,
  connectedWallet,
  NOW,
  OTHER_SITE,
  type Person,
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

test('connected sites are listed with their accounts, and not while locked', async () => {
  const { wallet, site } = await start()
  expect(await site()).toEqual({
    origin: SITE,
    since: 1_700_000_000_000,
    accounts: [ADDRESS],
    chainId: null,
    asMetaMask: false,
    asEthereum: false,
    readsLocalNode: false,
  })
  await wallet.ui.lock(null)
  expect((await wallet.ui.getState(null)).sites).toEqual([])
})

test('the state contains the site of the active tab', async () => {
  expect(await (await start()).wallet.ui.getActiveSite(null)).toBe(SITE)
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

test("the provider's appearance is chosen for each site, also for unconnected ones", async () => {
  const { wallet, choices, site, store } = await start()
  const choice = { origin: OTHER_SITE, asMetaMask: true, asEthereum: false }
  await wallet.ui.setSiteChoice(choice)
  expect(choices).toEqual([[{ ...choice, readsLocalNode: false }]])
  expect(await site(OTHER_SITE)).toMatchObject({ since: null, accounts: [], asMetaMask: true })
  expect((await startWallet({ store }).wallet.ui.getState(null)).sites).toHaveLength(2)
  await wallet.ui.setSiteChoice({ ...choice, asMetaMask: false })
  expect(choices.at(-1)).toEqual([])
  expect(await site(OTHER_SITE)).toBeUndefined()
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

test('disconnecting a site removes its accounts, requests, network and choices', async () => {
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

test('removing a network ends its requests, and its sites follow the wallet again', async () => {
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

test('selecting an account moves it to the front for the site shown with the accounts, if that has it', async () => {
  const { wallet, ask, events } = await start()
  const { address: second } = await wallet.ui.addAccount({ name: 'Second' })
  events.length = 0
  await wallet.ui.selectAccount({ address: second, origin: SITE })
  expect([await ask('eth_accounts'), events]).toEqual([[ADDRESS_LOWER], []])

  await wallet.ui.useAccount({ origin: SITE, address: second })
  const both = [second.toLowerCase(), ADDRESS_LOWER]
  expect(await ask('eth_accounts')).toEqual(both)
  for (const origin of [null, OTHER_SITE]) await wallet.ui.selectAccount({ address: ADDRESS, origin })
  expect(await ask('eth_accounts')).toEqual(both)
  await wallet.ui.selectAccount({ address: ADDRESS, origin: SITE })
  await wallet.ui.selectAccount({ address: ADDRESS, origin: SITE })
  expect(await ask('eth_accounts')).toEqual([...both].reverse())
  expect(events).toEqual([
    { event: 'accountsChanged', origin: SITE, data: both },
    { event: 'accountsChanged', origin: SITE, data: [...both].reverse() },
  ])
})

test('the person can give a site an existing account while unlocked', async () => {
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
  // Each rejection is a user action, so every first request opened the window.
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
