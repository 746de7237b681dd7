/**
 * Writes the fixture of this version (`npm run fixture`). It uses the built extension in Chromium as a user would, with
 * a site, a chain, a relay and an app, and copies the stored data. Run it once for each release, and never change a
 * fixture.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { UiState } from '../../extension/src/messages.ts'
import { knowNames } from '../bench/known-names.ts'
import type { Dapp } from '../compat/client-interfaces.ts'
import { openPeer, type Peer } from '../compat/peer.ts'
import { openRelay, type Relay } from '../compat/relay.ts'
import { ADDRESS, importByHand, type Owner, PASSWORD, startWithRelease, useLocalChain } from '../e2e/person.ts'
import { approved } from '../e2e/provider.ts'
import { callWallet } from '../e2e/wallet-page.ts'
import { startWeb } from '../e2e/web.ts'
import { startAnvil } from '../support/anvil.ts'
import { type Fixture, FOLDER, keptOf, peersOf } from './fixture.ts'

const OTHER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const FRIEND = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
/** The fifth key of the development phrase, imported as a private key. */
const IMPORTED_KEY = '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a'
const TEXT = 'Signed before the update'
const TESTNET = {
  chainId: 4242,
  title: 'Harbor Testnet',
  symbol: 'HBR',
  explorerUrl: 'https://explorer.example',
  prefix: 'eth',
  signedMessageName: 'Ethereum',
  testnet: true,
  rpcUrls: [],
}
/** Milliseconds between reads of the wallet's state. */
const LOOK = 200

const stateOf = async (page: Page): Promise<UiState> => (await callWallet(page, 'getState', null)).result

/** Polls the state until `look` finds something, and resolves with it. */
const until = async <T>(page: Page, look: (state: UiState) => T | undefined): Promise<T> => {
  for (;;) {
    const found = look(await stateOf(page))
    if (found !== undefined) return found
    await pause(LOOK)
  }
}

const useSite = async (person: Owner, origin: string): Promise<string> => {
  const site = await person.context.newPage()
  await site.goto(origin)
  await approved(person, site, 'eth_requestAccounts', [], 'Connect')
  const text = `0x${Buffer.from(TEXT).toString('hex')}`
  const signature = await approved(person, site, 'personal_sign', [text, ADDRESS])
  const options = { address: OTHER, symbol: 'TOK', decimals: 18 }
  await approved(person, site, 'wallet_watchAsset', { type: 'ERC20', options })
  await approved(person, site, 'eth_sendTransaction', [{ from: ADDRESS, to: OTHER, value: '0x1' }])
  return String(signature)
}

const useSettings = async (home: Page, origin: string) => {
  const { phrases } = await stateOf(home)
  await callWallet(home, 'addAccount', { name: 'Savings', phraseId: phrases[0]?.id ?? '' })
  await callWallet(home, 'importPrivateKey', { privateKey: IMPORTED_KEY, name: 'Imported' })
  await callWallet(home, 'addWatchOnly', { address: OTHER, name: 'Watched' })
  const { accounts } = await stateOf(home)
  await callWallet(home, 'hideAccount', { address: accounts[1]?.address ?? '' })
  await callWallet(home, 'selectAccount', { address: ADDRESS })
  await callWallet(home, 'saveContact', { address: FRIEND, name: 'Mira' })
  await callWallet(home, 'saveNetwork', TESTNET)
  await callWallet(home, 'setNetworkOrder', { order: 'name' })
  await callWallet(home, 'setSiteNetwork', { origin, chainId: 1 })
  await callWallet(home, 'setSiteChoice', { origin, asMetaMask: true, asEthereum: false })
  await callWallet(home, 'addInterface', {
    name: 'Any',
    place: null,
    abi: '[{"type":"function","name":"f","inputs":[]}]',
  })
  await callWallet(home, 'setSafety', { allowsUnreadable: false })
  await callWallet(home, 'setAutoLock', { minutes: 30 })
  await callWallet(home, 'getBalance', { address: ADDRESS, chainId: 31337 })
}

const pairWith = async (home: Page, relay: Relay, dapp: Peer<Dapp>) => {
  await callWallet(home, 'addRelay', { url: `ws://127.0.0.1:${relay.port}` })
  await callWallet(home, 'pair', { uri: await dapp.acts.connect() })
  const { id } = await until(home, ({ remote }) => remote.proposals[0])
  await callWallet(home, 'approveProposal', { id, accounts: [ADDRESS] })
  await dapp.next('session')
  await until(home, ({ remote }) => remote.sessions.find(({ isAcknowledged }) => isAcknowledged))
}

const read = (home: Page): Promise<Record<string, unknown>> =>
  home.evaluate(() => Reflect.get(globalThis, 'chrome').storage.local.get(null))

const folder = await mkdtemp(join(tmpdir(), 'heliograph-fixture-'))
const anvil = await startAnvil()
const web = await startWeb({ '/': '<p>A site</p>' })
const relay = await openRelay(join(folder, 'relay'))
const env = { IS_VITEST: 'true' }
const dapp: Peer<Dapp> = await openPeer('sign-client 2.21', { port: relay.port, folder: join(folder, 'dapp'), env })
const person = await startWithRelease()
await person.welcome.close()
try {
  await knowNames(person.context)
  await importByHand(person)
  const home = await person.open('popup.html')
  await useLocalChain(home, anvil.url)
  const origin = web.origin('site')
  const signature = await useSite(person, origin)
  await useSettings(home, origin)
  await pairWith(home, relay, dapp)
  await until(home, ({ activity }) => activity.find(({ status }) => status === 'confirmed'))
  const state = await stateOf(home)
  const { result: version } = await callWallet(home, 'getVersion', null)
  const fixture: Fixture = {
    version,
    writtenAt: Date.now(),
    password: PASSWORD,
    origin,
    signed: { text: TEXT, signature },
    kept: { ...keptOf(state), peers: peersOf(state) },
    storage: await read(home),
  }
  await writeFile(join(FOLDER, `${version}.json`), `${JSON.stringify(fixture, null, 2)}\n`)
} finally {
  await person.leave()
  await dapp.dispose()
  await relay.stop()
  await web.stop()
  await anvil.stop()
  await rm(folder, { recursive: true, force: true })
}
