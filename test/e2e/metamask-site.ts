/**
 * MetaMask's published test site with this wallet: its buttons and outputs by id. The site is served from its package,
 * and no other host is reachable.
 */
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { JsonRpcProvider, TransactionReceipt, TransactionResponse } from 'ethers'
import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { type File, serveFiles } from '../dapp/server.ts'
import { startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { ADDRESS, createVault, decide, type Person, press as pressInWindow, useLocalChain } from './person.ts'
import { callWallet } from './wallet-page.ts'

/** The site's content security policy. The site evaluates strings, and works without its remote styles. */
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'"
/** Timeout of a transaction and of an output, in ms. */
const PATIENCE = 30_000

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

const readSite = async (): Promise<Map<string, File>> => {
  const folder = dirname(createRequire(import.meta.url).resolve('@metamask/test-dapp/dist/index.html'))
  const names = await readdir(folder)
  const files = await Promise.all(
    names.map(async name => {
      const file: File = { type: TYPES[extname(name)] ?? 'text/plain', body: await readFile(join(folder, name)) }
      return [`/${name}`, file] as const
    }),
  )
  return new Map(files)
}

export type Sent = TransactionResponse & { receipt: TransactionReceipt }

export type MetaMaskSite = {
  person: Person
  page: Page
  /** A page of the wallet without its scripts, from which tests call the background. */
  home: Page
  url: string
  chain: JsonRpcProvider
  /** Remote hosts that responded to a page. */
  reached: string[]
  press(button: string): Promise<void>
  /** Presses the button and decides in the approval window. */
  ask(button: string, decision: 'Approve' | 'Reject' | 'Connect'): Promise<void>
  /** Presses the button and approves. Resolves with the transaction and its receipt. */
  send(button: string): Promise<Sent>
  /** Presses all the buttons, and approves their requests in one window. Their order is the site's. */
  sendAll(buttons: readonly string[]): Promise<Sent[]>
  /** Waits until an output matches, and returns its text. */
  shows(id: string, expected: string | RegExp): Promise<string>
  /** Returns the response to a request that the site's second page reads from its URL. */
  request(method: string, params?: unknown): Promise<string>
  stop(): Promise<void>
}

/** Makes the wallet appear as MetaMask. Otherwise, the site's MetaMask SDK replaces the providers of other wallets. */
const appearAsMetaMask = (home: Page, origin: string) =>
  callWallet(home, 'setSiteChoice', { origin, asMetaMask: true, readsLocalNode: true })

/** Opens the site for a person whose wallet is empty. */
export const startMetaMaskSite = async (person: Person): Promise<MetaMaskSite> => {
  const server = await serveFiles(await readSite(), POLICY)
  const anvil = await startAnvil()
  const chain = openChain(anvil.url)
  const home = await createVault(person)
  await useLocalChain(home, anvil.url)

  const reached: string[] = []
  const note = (request: Request) => {
    const { protocol, hostname } = new URL(request.url())
    if (/^(http|ws)/.test(protocol) && hostname !== '127.0.0.1') reached.push(hostname)
  }
  person.context.on('requestfinished', note)

  await appearAsMetaMask(home, server.url)
  const page = await person.context.newPage()
  await page.goto(`${server.url}/index.html`)
  await page.locator('#activeProviderName', { hasText: 'Heliograph' }).waitFor()

  const press = (button: string) => page.locator(`#${button}`).click()
  /** Resolves with the account's transactions from this nonce on. The chain mines each one in a block of its own. */
  const sentSince = async (nonce: number, count: number): Promise<Sent[]> => {
    await expect.poll(() => chain.getTransactionCount(ADDRESS)).toBe(nonce + count)
    const first = (await chain.getBlockNumber()) - count + 1
    return Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const block = await chain.getBlock(first + at, true)
        const sent = block?.prefetchedTransactions.find(transaction => transaction.nonce === nonce + at)
        const receipt = await sent?.wait(1, PATIENCE).catch(({ receipt }) => receipt)
        if (!sent || !receipt) throw new Error(`The transaction with the nonce ${nonce + at} is not in its block`)
        return Object.assign(sent, { receipt })
      }),
    )
  }
  const ask: MetaMaskSite['ask'] = async (button, decision) =>
    decide(await person.approval(() => press(button)), decision)
  const sendAll: MetaMaskSite['sendAll'] = async buttons => {
    const nonce = await chain.getTransactionCount(ADDRESS)
    const window = await person.approval(async () => {
      for (const button of buttons) await press(button)
    })
    for (let left = buttons.length; left > 1; left--) {
      const queue = window.getByRole('button', { name: `Show all requests, 1 of ${left}`, exact: true })
      await queue.waitFor()
      await pressInWindow(window, 'Approve')
      await queue.waitFor({ state: 'hidden' })
    }
    await decide(window, 'Approve')
    return sentSince(nonce, buttons.length)
  }

  return {
    person,
    page,
    home,
    url: server.url,
    chain,
    reached,
    press,
    ask,
    send: async button => (await sendAll([button]))[0] as Sent,
    sendAll,
    shows: async (id, expected) => {
      const text = async () => (await page.locator(`#${id}`).textContent())?.trim()
      const seen = expect.poll(text, { message: id, timeout: PATIENCE })
      await (typeof expected === 'string' ? seen.toBe(expected) : seen.toMatch(expected))
      return String(await text())
    },
    request: async (method, params) => {
      const second = await person.context.newPage()
      const query = new URLSearchParams({ method, ...(params !== undefined && { params: JSON.stringify(params) }) })
      await second.goto(`${server.url}/request.html?${query}`)
      const text = async () => String(await second.locator('main').textContent()).trim()
      await expect.poll(text).not.toMatch(/^Sending|^$/)
      const answer = await text()
      await second.close()
      return answer
    },
    stop: async () => {
      chain.destroy()
      person.context.off('requestfinished', note)
      await person.leave()
      await Promise.all([anvil.stop(), server.stop()])
    },
  }
}
