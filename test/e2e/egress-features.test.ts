/**
 * What each feature requests, and from which host: nothing while it is off or not asked for, then only from the chosen
 * node and from hosts that the user chose for the feature. A proxy records every host, and the node every call.
 */
import { Interface, type JsonRpcProvider } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MULTICALL } from '../../extension/src/wallet/networks/multicall.ts'
import { feedList } from '../../extension/src/wallet/wallet.fixture.ts'
import { addressNamed } from '../fuzz/world.ts'
import { type Ens, OFFCHAIN, REGISTRY, startEns } from '../names/ens.ts'
import { openChain } from '../support/chain.ts'
import { CHROMIUMS_OWN } from '../support/chromium.ts'
import { compileContracts } from '../support/compile.ts'
import { CID, type Gateway, startGateway } from './gateway.ts'
import { type PausableNode, startPausableNode } from './pausable-node.ts'
import { ADDRESS, importWallet, lock, type Owner, PASSWORD, startOwner } from './person.ts'
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts'
import { callWallet } from './wallet-page.ts'

const ETHEREUM = 1
const FRIEND = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** The second and the sixth account of the development phrase. */
const SECOND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SIXTH = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
/** The catalogue's USDC, at whose address the chain has a contract with another symbol. */
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const CATS = `0x${'ca'.repeat(20)}`
const ITEM = { token: CATS, id: '10', address: ADDRESS, chainId: ETHEREUM }
const PAYMENT = { from: ADDRESS, chainId: ETHEREUM, to: FRIEND, token: null, amount: '0x1' }
const PLACE = { address: ADDRESS, chainId: ETHEREUM }

let ens: Ens
let node: PausableNode
let second: PausableNode
let chain: JsonRpcProvider
let gateway: Gateway
let proxy: RecordingProxy
let person: Owner
let home: Page
let settings: Page

/** Hosts whose requests are not recorded: Chromium's own, and hosts of earlier features that it may still contact. */
const ignored = new Set([CHROMIUMS_OWN])
const RELAY = 'relay.example:443'

const hostOf = (url: string): string => new URL(url).host

const send = (to: string, abi: string, values: readonly unknown[]) => {
  const call = new Interface([`function ${abi}`])
  return chain.send('eth_sendTransaction', [{ from: FRIEND, to, data: call.encodeFunctionData(abi, values) }])
}
const mint = () => send(USDC, 'mint(address,uint256)', [ADDRESS, 2_500_000n])

beforeAll(async () => {
  ens = await startEns()
  await ens.register('alice.eth', addressNamed('alice'))
  await ens.setResolver('off.eth', OFFCHAIN)
  await ens.setGateways(['https://names.example/{sender}/{data}'], OFFCHAIN, 1)
  chain = openChain(ens.anvil.url)
  const contracts = compileContracts('support/contracts')
  await ens.setCode(MULTICALL, contracts.get('Multicall') ?? '')
  await ens.setCode(USDC, contracts.get('Coin') ?? '')
  await ens.setCode(CATS, contracts.get('Cats') ?? '')
  await send(CATS, 'mint(address,uint256,string)', [ADDRESS, ITEM.id, `ipfs://${CID}/good.json`])
  const [, feed = ''] = (await feedList()).networks[ETHEREUM]?.feeds.find(([pair]) => pair === 'ETH / USD') ?? []
  await ens.setCode(feed, contracts.get('Aggregator') ?? '')
  await send(feed, 'set(int256,uint256)', [2_000_00000000n, BigInt(Math.floor(Date.now() / 1000))])
  ;[node, second, gateway, proxy] = await Promise.all([
    startPausableNode(ens.anvil.url),
    startPausableNode(ens.anvil.url),
    startGateway(),
    startRecordingProxy(),
  ])
  for (const { url } of [node, second, gateway]) proxy.allow(hostOf(url))
  person = await startOwner({ proxy: proxy.url })
  settings = await person.open('manifest.json')
  home = await importWallet(person)
  await callWallet(home, 'setLooking', { on: false })
  await callWallet(home, 'setRpcUrls', { chainId: ETHEREUM, rpcUrls: [node.url, second.url] })
  await callWallet(home, 'addAccount', { name: 'Second' })
  await callWallet(home, 'selectAccount', { address: ADDRESS })
})

afterAll(async () => {
  chain?.destroy()
  await person?.leave()
  await proxy?.stop()
  await gateway?.stop()
  await node?.stop()
  await second?.stop()
  await ens?.stop()
})

/** Starts recording. The result returns the node's calls since then, and the other hosts that were contacted. */
const record = () => {
  const [calls, asked] = [node.calls().length, proxy.asked.length]
  return () => {
    const hosts = proxy.asked.slice(asked).map(({ host }) => host)
    return {
      calls: node.calls().slice(calls),
      hosts: [...new Set(hosts)].filter(host => !ignored.has(host) && host !== hostOf(node.url)),
    }
  }
}
/** Calls the node through the wallet. What the wallet requested before this call has arrived when it resolves. */
const callNode = () => callWallet(home, 'probeRpc', { rpcUrl: node.url })

/**
 * Waits until the wallet's background work, which starts its looks, has come by twice: it then reads the receipt of a
 * pending transaction.
 */
const tendTwice = async () => {
  await chain.send('evm_setAutomine', [false])
  const sending = { from: ADDRESS, chainId: ETHEREUM, to: FRIEND, token: null, amount: '0x1', id: 'pending' }
  await callWallet(home, 'sendOwn', sending)
  const receipts = () => node.calls().filter(call => call.startsWith('eth_getTransactionReceipt ')).length
  const before = receipts()
  await expect.poll(receipts).toBeGreaterThan(before + 1)
  await chain.send('evm_setAutomine', [true])
  await chain.send('evm_mine', [])
}

const fails = (call: Promise<unknown>) => expect(call).rejects.toThrow()
const press = (page: Page, role: 'button' | 'link', name: string) => page.getByRole(role, { name, exact: true }).click()

/** Opens a section of the settings, and after `act` the manifest in its place, which runs no script. */
const inSettings = async (section: string, act: (page: Page) => Promise<void> = async () => {}) => {
  const open = (name: string) => settings.goto(new URL(name, settings.url()).href)
  await settings.bringToFront()
  await open('settings.html')
  await press(settings, 'link', section)
  await settings.getByRole('heading', { level: 1 }).waitFor()
  await act(settings)
  await open('manifest.json')
  await home.bringToFront()
}
const openHome = async () => {
  await home.bringToFront()
  // The browser reloads a popup each time it opens.
  await home.reload()
  await home
    .getByText(/^(?:10,000|9,999)\./)
    .first()
    .waitFor()
}
const openToken = async (act: (page: Page) => Promise<void> = async () => {}) => {
  await openHome()
  await home.getByRole('listitem').filter({ hasText: 'USDC' }).getByRole('button').click()
  await home.getByRole('button', { name: 'Copy contract address', exact: true }).waitFor()
  await act(home)
  await press(home, 'button', 'Back')
}
const seesAccount = (address: string) => new RegExp(`^eth_(?!getLogs).*${address.slice(2)}`, 'i')
const TRANSFERS = /^eth_getLogs .*ddf252ad/

/**
 * A feature. `off` uses the wallet up to where it would send requests of this feature, and `on` goes on from there.
 * `sends` matches its calls to the node, null if there are none. `hosts` are the other hosts that it contacts.
 */
type Feature = {
  name: string
  off(): Promise<unknown>
  on(): Promise<unknown>
  sends: RegExp | null
  hosts?: () => readonly string[]
}

const features: readonly Feature[] = [
  {
    name: "the wallet's own look for tokens, collectibles and transfers",
    off: async () => {
      await mint()
      await callWallet(home, 'lookAgain', { chainId: ETHEREUM })
      await tendTwice()
    },
    on: async () => {
      await callWallet(home, 'setLooking', { on: true })
      await home.getByText('1 token and 1 collectible found', { exact: true }).waitFor()
      await expect.poll(async () => (await callWallet(home, 'getState', null)).result.looks[0]?.status).toBe('done')
      await callWallet(home, 'setLooking', { on: false })
    },
    sends: new RegExp(`${TRANSFERS.source}|^eth_getCode .*${MULTICALL.slice(2)}`, 'i'),
  },
  {
    name: 'values',
    off: async () => {
      await openHome()
      await inSettings('Balances', page =>
        page
          .getByRole('cell', { name: /^10,000/ })
          .first()
          .waitFor(),
      )
      expect((await callWallet(home, 'getPrices', { chainId: ETHEREUM })).result).toBeNull()
    },
    on: async () => {
      await callWallet(home, 'setCurrency', { currency: 'USD' })
      await home.getByRole('button', { name: /^≈ \$.* in total$/ }).waitFor()
      await callWallet(home, 'setCurrency', { currency: null })
    },
    sends: /feaf968c/,
  },
  {
    name: 'a second node for comparing',
    off: async () => {
      await callWallet(home, 'reviewSend', PAYMENT)
      await callWallet(home, 'reviewAddress', { address: 'alice.eth', chainId: ETHEREUM })
      expect((await callWallet(home, 'getNodeChecks', { chainId: ETHEREUM })).result).toBeNull()
    },
    on: async () => {
      const node = { chainId: ETHEREUM, rpcUrl: second.url }
      await callWallet(home, 'setNodeUse', { ...node, use: { also: 'comparing' } })
      const { result } = await callWallet(home, 'reviewSend', PAYMENT)
      expect(result.effect.checked?.facts.map(({ by }) => by)).toEqual(['proved', 'proved', 'proved'])
      await callWallet(home, 'setNodeUse', { ...node, use: {} })
    },
    sends: /^eth_getProof /,
    hosts: () => [hostOf(second.url)],
  },
  {
    name: 'ENS names, without and with an Ethereum node',
    off: async () => {
      await callWallet(home, 'setRpcUrls', { chainId: ETHEREUM, rpcUrls: [] })
      await fails(callWallet(home, 'reviewAddress', { address: 'alice.eth', chainId: ETHEREUM }))
      await callWallet(home, 'setRpcUrls', { chainId: ETHEREUM, rpcUrls: [node.url] })
    },
    on: () => callWallet(home, 'reviewAddress', { address: 'alice.eth', chainId: ETHEREUM }),
    sends: new RegExp(REGISTRY.slice(2), 'i'),
  },
  {
    name: 'ENS names that are stored off chain',
    off: () => fails(callWallet(home, 'reviewAddress', { address: 'x.off.eth', chainId: ETHEREUM })),
    on: async () => {
      await callWallet(home, 'setSafety', { readsOffchainNames: true })
      await fails(callWallet(home, 'reviewAddress', { address: 'x.off.eth', chainId: ETHEREUM }))
    },
    sends: null,
    hosts: () => ['names.example:443'],
  },
  {
    name: 'pictures of collectibles',
    off: async () => {
      await callWallet(home, 'showToken', { ...PLACE, token: CATS })
      const { result } = await callWallet(home, 'describeItem', ITEM)
      expect(result.missing).toBe('noGateway')
    },
    on: async () => {
      await callWallet(home, 'setGateways', { ipfs: gateway.url, arweave: null })
      const { result } = await callWallet(home, 'describeItem', ITEM)
      expect(result.picture).not.toBeNull()
    },
    sends: null,
    hosts: () => [hostOf(gateway.url)],
  },
  {
    name: 'balances in the list of accounts',
    off: openHome,
    on: async () => {
      await press(home, 'button', 'Switch account, Account 1')
      await home.getByRole('option', { name: /^Second.*ETH$/ }).waitFor()
      await home.keyboard.press('Escape')
    },
    sends: seesAccount(SECOND),
  },
  {
    name: 'the overview of balances',
    off: () => inSettings('Networks'),
    on: () =>
      inSettings('Balances', page =>
        page
          .getByRole('cell', { name: /^10,000/ })
          .first()
          .waitFor(),
      ),
    sends: seesAccount(SECOND),
  },
  {
    name: 'the search for transfers in the list of all activity',
    off: () => inSettings('All activity'),
    on: () =>
      inSettings('All activity', async page => {
        await mint()
        await press(page, 'button', 'Look for new transfers')
        await expect.poll(() => page.getByRole('cell', { name: /Received 2.5/ }).count()).toBe(2)
      }),
    sends: TRANSFERS,
  },
  {
    name: 'the search for tokens',
    off: () => inSettings('Tokens', page => page.getByRole('button', { name: 'Find', exact: true }).waitFor()),
    on: () =>
      inSettings('Tokens', async page => {
        await press(page, 'button', 'Find')
        await page.getByText(/^All blocks up to /).waitFor()
      }),
    sends: TRANSFERS,
  },
  {
    name: 'the search for allowances',
    off: () => inSettings('Allowances'),
    on: () =>
      inSettings('Allowances', async page => {
        await press(page, 'button', 'Find allowances')
        await page.getByText('No allowances found', { exact: true }).waitFor()
      }),
    sends: /^eth_getLogs .*8c5be1e5/,
  },
  {
    name: 'the search for used addresses of a phrase',
    off: async () => {
      const [phrase] = (await callWallet(home, 'getState', null)).result.phrases
      await callWallet(home, 'getPhraseAccounts', { phraseId: phrase?.id ?? '', from: 0, count: 10 })
    },
    on: () => callWallet(home, 'readUsed', { addresses: [SIXTH] }),
    sends: seesAccount(SIXTH),
  },
  {
    name: 'fees',
    off: openHome,
    on: () => callWallet(home, 'getFees', { chainId: ETHEREUM }),
    sends: /^eth_(?:feeHistory|gasPrice|maxPriorityFeePerGas) /,
  },
  {
    name: 'descriptors from a web address',
    off: () => inSettings('Contract interfaces'),
    on: () => fails(callWallet(home, 'downloadDescriptors', { url: 'https://descriptors.example/swap.json' })),
    sends: null,
    hosts: () => ['descriptors.example:443'],
  },
  {
    name: 'relays of remote sessions',
    off: () => inSettings('Remote sessions'),
    on: () => fails(callWallet(home, 'addRelay', { url: 'wss://relay.example' })),
    sends: null,
    hosts: () => [RELAY],
  },
  {
    name: "the link to a network's explorer",
    off: () => openToken(),
    on: () =>
      openToken(async page => {
        const opened = person.context.waitForEvent('page')
        await page.getByRole('link', { name: 'View on etherscan.io', exact: true }).click()
        const tab = await opened
        await expect.poll(() => proxy.asked.some(({ host }) => host === 'etherscan.io:443')).toBe(true)
        await tab.close()
      }),
    sends: null,
    hosts: () => ['etherscan.io:443'],
  },
]

test.each(features)(
  '$name: requested only when switched on or asked for, and only from chosen hosts',
  async feature => {
    const { off, on, sends, hosts = () => [] } = feature
    const sentBefore = record()
    await off()
    await callNode()
    const before = sentBefore()
    expect(before.hosts).toEqual([])
    expect(before.calls.filter(call => sends?.test(call))).toEqual([])

    const sentAfter = record()
    await on()
    await callNode()
    const after = sentAfter()
    expect(after.hosts).toEqual(hosts())
    if (sends) expect(after.calls.filter(call => sends.test(call))).not.toEqual([])
    // Chromium can repeat a WebSocket's failed connection later.
    if (hosts().includes(RELAY)) ignored.add(RELAY)
  },
)

test('while locked, no feature requests anything, and the first request follows the unlock', async () => {
  await callWallet(home, 'setLooking', { on: true })
  await callWallet(home, 'setCurrency', { currency: 'USD' })
  await openHome()
  await expect.poll(async () => (await callWallet(home, 'getState', null)).result.looks[0]?.status).toBe('done')
  await lock(home)
  await callNode().catch(() => {})
  const sent = record()
  await mint()
  await callWallet(home, 'lookAgain', { chainId: ETHEREUM })
  await Promise.all([
    fails(callWallet(home, 'findTokens', PLACE)),
    fails(callWallet(home, 'findIncoming', { chainId: ETHEREUM })),
    fails(callWallet(home, 'getCoinBalances', { chainId: ETHEREUM })),
    fails(callWallet(home, 'describeItem', ITEM)),
    fails(callWallet(home, 'reviewAddress', { address: 'alice.eth', chainId: ETHEREUM })),
  ])
  await person.killWorker()
  await home.reload()
  await home.getByLabel('Password', { exact: true }).fill(PASSWORD)
  expect(sent()).toEqual({ calls: [], hosts: [] })
  await press(home, 'button', 'Unlock')
  await home.getByRole('button', { name: /^≈ \$.* in total$/ }).waitFor()
  expect(sent().calls).not.toEqual([])
  expect(sent().hosts).toEqual([])
})
