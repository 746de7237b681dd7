/** A wallet in the browser and a published client in a separate process, paired over a relay. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { UiState } from '../../extension/src/messages.ts'
import type { Call, Dapp } from '../compat/client-interfaces.ts'
import { openPeer, type Peer } from '../compat/peer.ts'
import { openRelay, type Relay } from '../compat/relay.ts'
import { asked, LOCAL } from '../session/dapp-requests.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { ADDRESS, decide, importWallet, type Person, startPerson, useLocalChain } from './person.ts'
import { callWallet } from './wallet-page.ts'

/** `test/session` covers the other clients, with the same wallet in Node. */
const KIND = 'sign-client 2.21'

type RemoteSession = UiState['remote']['sessions'][number]

export type RemoteWallet = {
  person: Person
  /** The wallet's home. */
  home: Page
  folder: string
  anvil: Anvil
  relay: Relay
  dapp: Peer<Dapp>
  state(): Promise<UiState>
  session(topic: string): Promise<RemoteSession | undefined>
  /** Presses a button of the wallet's home. */
  press(name: string): Promise<void>
  /** Stops the worker. Resolves once the next worker runs. */
  stopWorker(): Promise<void>
  /** Pastes a link, starting at the wallet's home. */
  paste(uri: string): Promise<void>
  /** Pastes a link and resolves with the window of its proposal. */
  propose(uri: string): Promise<Page>
  /** Pairs with the dApp and resolves with the topic of the session. */
  connect(): Promise<string>
  /** Sends a request from the dApp and approves it. */
  approve(topic: string, call: Call): Promise<unknown>
  stop(): Promise<void>
}

/** Starts a wallet with two accounts on the local chain. Its relay is not added yet. */
export const startRemoteWallet = async (): Promise<RemoteWallet> => {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-sessions-'))
  const relay = await openRelay(join(folder, 'relay'))
  const openDapp = () => openPeer(KIND, { port: relay.port, folder: join(folder, 'dapp'), env: { IS_VITEST: 'true' } })
  const openWallet = async () => {
    const person = await startPerson()
    return { person, home: await importWallet(person) }
  }
  const [{ person, home }, dapp, anvil] = await Promise.all([openWallet(), openDapp(), startAnvil()])
  await useLocalChain(home, anvil.url)
  await callWallet(home, 'addAccount', { name: 'Second' })
  await callWallet(home, 'selectAccount', { address: ADDRESS })

  const wallet: RemoteWallet = {
    person,
    home,
    folder,
    anvil,
    relay,
    dapp,
    state: async () => (await callWallet(wallet.home, 'getState', null)).result,
    session: async topic => (await wallet.state()).remote.sessions.find(({ id }) => id === topic),
    press: name => wallet.home.getByRole('button', { name, exact: true }).click(),
    stopWorker: async () => {
      await wallet.person.killWorker()
      await wallet.state()
    },
    paste: async uri => {
      await wallet.home.reload()
      await wallet.press('Pair')
      await wallet.home.getByLabel('Pairing link', { exact: true }).fill(uri)
      await wallet.press('Continue')
    },
    propose: uri => wallet.person.approval(() => wallet.paste(uri)),
    connect: async () => {
      await decide(await wallet.propose(await dapp.acts.connect(asked)), 'Connect')
      const { topic } = await dapp.next('session')
      await expect.poll(async () => (await wallet.session(topic))?.isAcknowledged).toBe(true)
      // Waits until the wallet's page shows the session.
      await wallet.home.getByRole('button', { name: 'Disconnect', exact: true }).waitFor()
      return topic
    },
    approve: async (topic, call) => {
      let answer: Promise<unknown> = Promise.resolve()
      const window = await wallet.person.approval(async () => {
        answer = dapp.acts.request({ topic, chainId: LOCAL, ...call })
        answer.catch(() => undefined)
      })
      await decide(window, 'Approve')
      return answer
    },
    stop: async () => {
      await wallet.person.leave()
      await dapp.dispose()
      await relay.stop()
      await anvil.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return wallet
}

/** Adds the wallet's relay and makes it the default. */
export const addRelay = async ({ home, relay }: RemoteWallet): Promise<void> => {
  const url = `ws://127.0.0.1:${relay.port}`
  await callWallet(home, 'addRelay', { url })
  await callWallet(home, 'setDefaultRelay', { url })
}
