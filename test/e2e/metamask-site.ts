/**
 * MetaMask's published test site with this wallet: its buttons and outputs by id. The site is served from its package,
 * and no other host is reachable.
 */
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { JsonRpcProvider, TransactionReceipt, TransactionResponse } from 'ethers'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type File, serveFiles } from '../dapp/server.ts'
import { OTHER_CHAIN } from '../libraries/values.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { setUpWallet } from './library-site.ts'
import { ADDRESS, decide, type Owner, startOwner } from './person.ts'
import { callWallet } from './wallet-page.ts'

/** The site's content security policy. The site evaluates strings, and works without its remote styles. */
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'"
/** The address that the site uses as the node of its second network. */
const OTHER_NODE = '127.0.0.1:8546'

/** Timeout of every action on the site, in ms. */
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

export type MetaMaskSite = {
  anvil: Anvil
  person: Owner
  page: Page
  /** The wallet's home in a background tab. */
  home: Page
  url: string
  chain: JsonRpcProvider
  /** Remote hosts that responded to a page. */
  reached: string[]
  press(button: string): Promise<void>
  /** Presses the button and decides in the approval window. */
  ask(button: string, decision: 'Approve' | 'Reject' | 'Connect'): Promise<void>
  /** Presses the button and approves. Resolves with the transaction and its receipt. */
  send(button: string): Promise<TransactionResponse & { receipt: TransactionReceipt }>
  /** Waits until an output matches, and returns its text. */
  shows(id: string, expected: string | RegExp): Promise<string>
  /** Returns the response to a request that the site's second page reads from its URL. */
  request(method: string, params?: unknown): Promise<string>
  stop(): Promise<void>
}

/** Makes the wallet appear as MetaMask. Otherwise, the site's MetaMask SDK replaces the providers of other wallets. */
const appearAsMetaMask = (home: Page, origin: string) =>
  callWallet(home, 'setSiteChoice', { origin, asMetaMask: true, readsLocalNode: true })

export const startMetaMaskSite = async (): Promise<MetaMaskSite> => {
  const server = await serveFiles(await readSite(), POLICY)
  const [anvil, other] = await Promise.all([startAnvil(), startAnvil({ chainId: OTHER_CHAIN })])
  const person = await startOwner({ hosts: [`MAP ${OTHER_NODE} ${new URL(other.url).host}`] })
  person.context.setDefaultTimeout(PATIENCE)
  await setUpWallet(person, anvil.url)
  const chain = openChain(anvil.url)

  const reached: string[] = []
  person.context.on('requestfinished', request => {
    const { protocol, hostname } = new URL(request.url())
    if (/^(http|ws)/.test(protocol) && hostname !== '127.0.0.1') reached.push(hostname)
  })

  const home = await person.open('popup.html')
  await appearAsMetaMask(home, server.url)
  const page = await person.context.newPage()
  await page.goto(`${server.url}/index.html`)
  await page.locator('#activeProviderName', { hasText: 'Heliograph' }).waitFor()

  const press = (button: string) => page.locator(`#${button}`).click()
  const ask: MetaMaskSite['ask'] = async (button, decision) =>
    decide(await person.approval(() => press(button)), decision)

  return {
    anvil,
    person,
    page,
    home,
    url: server.url,
    chain,
    reached,
    press,
    ask,
    send: async button => {
      const nonce = await chain.getTransactionCount(ADDRESS)
      await ask(button, 'Approve')
      await expect.poll(() => chain.getTransactionCount(ADDRESS)).toBe(nonce + 1)
      const block = await chain.getBlock('latest', true)
      const sent = block?.prefetchedTransactions.find(transaction => transaction.nonce === nonce)
      const receipt = await sent?.wait(1, PATIENCE).catch(({ receipt }) => receipt)
      if (!sent || !receipt) throw new Error(`${button} sent nothing`)
      return Object.assign(sent, { receipt })
    },
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
      await person.leave()
      await Promise.all([anvil.stop(), other.stop(), server.stop()])
    },
  }
}
