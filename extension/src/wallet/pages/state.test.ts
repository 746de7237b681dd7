import { getCreateAddress } from 'ethers'
import { expect, test } from 'vitest'
import {
  ADDRESS,
  connectedWallet,
  OTHER_SITE,
  PASSWORD,
  PHRASE,
  PUBLIC_NETWORKS,
  SITE,
  startNode,
  startWallet,
  undecided,
} from '../wallet.fixture.ts'

test('before setup the state contains only the networks', async () => {
  const { networks, ...rest } = await startWallet().wallet.ui.getState(null)
  expect(rest).toEqual({
    phase: 'empty',
    passkeys: [],
    remote: { relays: [], pairings: [], refused: [], proposals: [], sessions: [] },
    accounts: [],
    hiddenAccounts: [],
    phrases: [],
    contacts: [],
    selected: null,
    chainId: 31337,
    assets: [],
    sites: [],
    requests: [],
    waiting: [],
    muted: [],
    networkList: { order: 'added', hidden: [] },
    activity: [],
    looks: [],
    unseen: 0,
    looksByItself: true,
    resetChains: [],
    autoLockMinutes: 15,
    safety: { asksPassword: false, allowsUnreadable: true, allowsForeignSignIn: false, readsOffchainNames: false },
    currency: null,
    reset: [],
    unreadable: [],
    task: null,
  })
  expect(networks).toContainEqual({
    chainId: 1,
    title: 'Ethereum',
    symbol: 'ETH',
    decimals: 18,
    testnet: false,
    rpcUrls: [],
    added: false,
    listed: true,
  })
  expect(networks).toContainEqual(expect.objectContaining({ chainId: 31337, testnet: true }))
})

test("a request has its site, the date of the site's connection, the account and the network", async () => {
  const { wallet } = await connectedWallet({ person: undecided })
  wallet.request(SITE, { id: '1', method: 'personal_sign', params: ['hello', ADDRESS] }).catch(() => undefined)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  await wallet.ui.selectNetwork({ chainId: 8217 })
  const { requests, chainId } = await wallet.ui.getState(null)
  expect(chainId).toBe(8217)
  expect(requests).toMatchObject([
    {
      origin: SITE,
      method: 'personal_sign',
      since: 1_700_000_000_000,
      createdAt: 1_700_000_000_000,
      account: { address: ADDRESS, name: 'Account 1' },
      network: { chainId: 31337, title: 'Local chain' },
      effect: { kind: 'message', text: 'hello' },
      findings: [],
    },
  ])
})

test('a connection request offers the current accounts', async () => {
  const { wallet } = startWallet({ person: undecided })
  await wallet.ui.createVault({ password: PASSWORD, phrase: PHRASE })
  wallet.request(SITE, { id: '1', method: 'eth_requestAccounts' }).catch(() => undefined)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  await wallet.ui.addAccount({ name: 'Second' })
  const [request] = (await wallet.ui.getState(null)).requests
  expect(request).toMatchObject({ since: null, account: null, effect: { kind: 'connect', accounts: [{}, {}] } })
})

test('a locked wallet shows the number of requests and their sites, but not their content', async () => {
  const { wallet } = await connectedWallet({ person: undecided, chain: startNode().chain })
  const transaction = { from: ADDRESS, to: ADDRESS, value: '0xdeadbeef' }
  wallet.request(SITE, { id: '1', method: 'eth_sendTransaction', params: [transaction] }).catch(() => undefined)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  await wallet.ui.lock(null)
  const state = await wallet.ui.getState(null)
  expect(state).toMatchObject({ phase: 'locked', accounts: [], selected: null, requests: [] })
  expect(state.waiting).toMatchObject([{ id: `${SITE} 1`, origin: SITE, network: { chainId: 31337 } }])
  expect(JSON.stringify(state)).not.toMatch(new RegExp(`deadbeef|Transaction|${ADDRESS}`, 'i'))
})

test('if the selected account is missing, the first one is used', async () => {
  const { wallet } = await connectedWallet()
  await wallet.ui.selectAccount({ address: `0x${'11'.repeat(20)}` })
  expect((await wallet.ui.getState(null)).selected).toBe(ADDRESS)
})

test('a contract creation shows the future address', async () => {
  const { wallet } = await connectedWallet({ person: undecided, chain: startNode().chain })
  const params = [{ from: ADDRESS, data: '0x6000', nonce: '0x7' }]
  wallet.request(SITE, { id: '1', method: 'eth_signTransaction', params }).catch(() => undefined)
  await expect.poll(async () => (await wallet.ui.getState(null)).requests).toHaveLength(1)
  const [request] = (await wallet.ui.getState(null)).requests
  expect(request?.effect).toMatchObject({
    creates: { address: getCreateAddress({ from: ADDRESS, nonce: 7 }), nonce: '0x7' },
  })
})

test("the state has the activity for the wallet's and each connected site's account and network", async () => {
  const { wallet } = await connectedWallet({
    chain: startNode({ eth_chainId: () => '0x1' }).chain,
    networks: PUBLIC_NETWORKS,
  })
  const { address: second } = await wallet.ui.addAccount({ name: 'Second' })
  const send = async (from: string, chainId: number) =>
    wallet.ui.sendOwn({ id: `${from} ${chainId}`, from, chainId, to: ADDRESS, token: null, amount: '0x1' })
  const sent = new Map<string, string>()
  for (const [from, chainId] of [
    [ADDRESS, 31337],
    [ADDRESS, 1],
    [second, 1],
  ] as const)
    sent.set(`${from} ${chainId}`, await send(from, chainId))
  const told = async () => (await wallet.ui.getState(null)).activity.map(({ hash }) => hash)

  await wallet.ui.selectAccount({ address: ADDRESS })
  expect(await told()).toEqual([sent.get(`${ADDRESS} 31337`)])
  await wallet.ui.setSiteNetwork({ origin: SITE, chainId: 1 })
  expect(await told()).toEqual([sent.get(`${ADDRESS} 31337`), sent.get(`${ADDRESS} 1`)])
  await wallet.ui.useAccount({ origin: SITE, address: second })
  await wallet.ui.useAccount({ origin: OTHER_SITE, address: ADDRESS })
  expect(await told()).toEqual([sent.get(`${ADDRESS} 31337`), sent.get(`${second} 1`)])
})
