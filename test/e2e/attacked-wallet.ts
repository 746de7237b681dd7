/** A wallet with one connected site, which must still get responses while other pages attack the wallet. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { WaitingView } from '../../extension/src/messages.ts'
import { startAnvil } from '../support/anvil.ts'
import { ADDRESS, createVault, type Person, startPerson, useLocalChain } from './person.ts'
import { approved, read } from './provider.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

export const ACCOUNT = ADDRESS.toLowerCase()

/** Path and body of a page that requests a connection when it receives a message. */
export const ASKER: Readonly<Record<string, string>> = {
  '/asker': `<script>
    addEventListener('message', ({ data }) => data === 'ask' && ethereum.request({ method: 'eth_requestAccounts' }))
  </script>`,
}

export type AttackedWallet = {
  person: Person
  web: Web
  /** A page of the wallet without its scripts, from which tests call the background. */
  home: Page
  /** The page of the connected site. */
  good: Page
  openSite(name: string): Promise<Page>
  /** Opens a site and connects it if it is not connected. */
  openConnected(name: string): Promise<Page>
  /** Returns the open requests. */
  waiting(): Promise<readonly WaitingView[]>
  /** Resolves if the connected site gets responses. */
  othersAreServed(): Promise<void>
  /** Rejects the open requests. */
  rejectAll(): Promise<void>
  stop(): Promise<void>
}

/** Starts the wallet. `pages` are HTML bodies by path, the same on all sites. */
export const startAttackedWallet = async (pages: Readonly<Record<string, string>>): Promise<AttackedWallet> => {
  const anvil = await startAnvil()
  const web = await startWeb({ '/': '<p>A site</p>', ...pages })
  const person = await startPerson()
  const home = await createVault(person)
  await useLocalChain(home, anvil.url)

  const openSite = async (name: string) => {
    const page = await person.context.newPage()
    await page.goto(web.origin(name))
    return page
  }
  const openConnected = async (name: string) => {
    const page = await openSite(name)
    const accounts = await read(page, 'eth_accounts')
    if (Array.isArray(accounts) && accounts.length === 0)
      await approved(person, page, 'eth_requestAccounts', [], 'Connect')
    return page
  }
  const waiting = async () => (await callWallet(home, 'getState', null)).result.waiting
  const good = await openConnected('good')

  return {
    person,
    web,
    home,
    good,
    openSite,
    openConnected,
    waiting,
    othersAreServed: async () => {
      expect(await read(good, 'eth_accounts')).toEqual([ACCOUNT])
      expect(await read(good, 'eth_blockNumber')).toMatch(/^0x/)
    },
    rejectAll: async () => {
      await callWallet(home, 'rejectAll', null)
      await expect.poll(waiting).toEqual([])
    },
    stop: async () => {
      await person.leave()
      await web.stop()
      await anvil.stop()
    },
  }
}
