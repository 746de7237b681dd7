/**
 * Kills the service worker at each step of a request: during preparation, while the window is open, between approval
 * and broadcast, and after the broadcast. The node is paused where a step would be too short. In each case there must
 * be one window, one transaction and one response.
 */
import { type JsonRpcProvider, verifyMessage } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { type PausableNode, startPausableNode } from './pausable-node.ts'
import { ADDRESS, importWallet, isFirefox, type Person, startPerson, untilClosed, useLocalChain } from './person.ts'
import { call, type Reply } from './provider.ts'
import { callWallet } from './wallet-page.ts'
import { startWeb, type Web } from './web.ts'

const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const transfer = { from: ADDRESS, to: OTHER, value: '0x1' }
let anvil: Anvil
let node: PausableNode
let chain: JsonRpcProvider
let web: Web
let person: Person
let page: Page
const windows: Page[] = []

/** Records an approval window. Firefox reports a window before it has a URL. */
const noteWindow = (opened: Page): void => {
  opened.waitForURL('**/approval.html', { waitUntil: 'commit' }).then(
    () => windows.push(opened),
    () => undefined,
  )
}

beforeAll(async () => {
  anvil = await startAnvil()
  node = await startPausableNode(anvil.url)
  chain = openChain(anvil.url)
  web = await startWeb({ '/': '<p>A site</p>' })
  person = await startPerson()
  const home = await importWallet(person)
  await useLocalChain(home, node.url)
  person.context.on('page', noteWindow)
  page = await person.context.newPage()
  await page.goto(web.origin('site'))
  await page.evaluate(() => {
    const answered: Record<string, number> = {}
    Object.assign(window, { answered })
    window.addEventListener('message', ({ data }) => {
      const id = data?.source === 'heliograph:wallet' ? data.message.id : undefined
      if (id !== undefined) answered[id] = (answered[id] ?? 0) + 1
    })
  })
})

afterAll(async () => {
  person?.context.off('page', noteWindow)
  chain?.destroy()
  await person?.leave()
  await web?.stop()
  await node?.stop()
  await anvil?.stop()
})

/** The moment at which the worker is killed. With `pause`, the worker is killed when the node receives this call. */
type Step = { name: string; at: 'asked' | 'open' | 'approved'; pause?: [method: string, moment: 'before' | 'after'] }

const asked: Step = { name: 'before the window', at: 'asked' }
const open: Step = { name: 'while the window is open', at: 'open' }
const approved: Step = { name: 'right after the approval', at: 'approved' }
const estimating: Step = { name: 'before the window', at: 'asked', pause: ['eth_estimateGas', 'before'] }
const unsent: Step = { name: 'before the broadcast', at: 'approved', pause: ['eth_sendRawTransaction', 'before'] }
const sent: Step = { name: 'after the broadcast', at: 'approved', pause: ['eth_sendRawTransaction', 'after'] }
const checking: Step = { name: 'while the new node is checked', at: 'approved', pause: ['eth_chainId', 'before'] }

type Kind = {
  method: string
  params(): unknown
  steps: readonly Step[]
  /** Asserts that the result is correct. */
  check(result: unknown): void
  /** The expected number of transactions. */
  transactions?: number
  /** The button that approves in the window. */
  button?: 'Approve' | 'Connect'
}

let chains = 0x539
const added = () => {
  const chainId = `0x${(chains++).toString(16)}`
  const nativeCurrency = { name: 'Coin', symbol: 'COIN', decimals: 18 }
  return [{ chainId, chainName: `Chain ${chainId}`, nativeCurrency, rpcUrls: [node.urlAs(chainId)] }]
}

const isAccount = (result: unknown) => expect(result).toEqual([ADDRESS.toLowerCase()])
const isSignature = (result: unknown) => expect(verifyMessage('\x12\x34', String(result))).toBe(ADDRESS)
const isHash = (result: unknown) => expect(result).toMatch(/^0x[\da-f]{64}$/)
const isNull = (result: unknown) => expect(result).toBeNull()

/**
 * Covers each step once, and in Firefox the steps after which a page, a window or the storage continues the request.
 * `test/faults/wallet-kill.test.ts` stops the worker at every step of every kind, without a browser.
 */
const kinds: readonly Kind[] = [
  { method: 'eth_requestAccounts', params: () => [], steps: [asked], check: isAccount, button: 'Connect' },
  { method: 'personal_sign', params: () => ['0x1234', ADDRESS], steps: [open, approved], check: isSignature },
  {
    method: 'eth_sendTransaction',
    params: () => [transfer],
    steps: isFirefox ? [unsent] : [estimating, unsent, sent],
    check: isHash,
    transactions: 1,
  },
  { method: 'wallet_addEthereumChain', params: added, steps: isFirefox ? [] : [checking], check: isNull },
]

/** Presses the button once, and resolves once the window is closed. */
const press = (window: Page, button: string) =>
  untilClosed(window, () => window.getByRole('button', { name: button, exact: true }).click())

const killWhen = async (paused: { reached: Promise<void>; release(): void } | undefined) => {
  await paused?.reached
  await person.killWorker()
  paused?.release()
}

/** Sends the request, decides it, and kills the worker at the step. */
const course = async ({ method, params, button = 'Approve' }: Kind, { at, pause }: Step): Promise<Reply> => {
  const paused = pause && node.pause(...pause)
  let reply: Promise<Reply> | undefined
  const ask = async () => {
    reply = call(page, method, params())
    if (at === 'asked') await killWhen(paused)
  }
  const window = await person.approval(ask)
  await window.getByRole('button', { name: button, exact: true }).waitFor()
  if (at === 'open') await person.killWorker()
  const pressed = press(window, button)
  if (at === 'approved') {
    if (!paused) await expect.poll(async () => (await waiting()) === 0, { interval: 10 }).toBe(true)
    await killWhen(paused)
  }
  await pressed
  if (!reply) throw new Error('no request was sent')
  return reply
}

let home: Page | undefined
/** Returns the number of open requests in the wallet's state. */
const waiting = async () => {
  home ??= await person.open('popup.html')
  return (await callWallet(home, 'getState', null)).result.waiting.length
}

const answers = (): Promise<number[]> =>
  page.evaluate(() => Object.values((window as unknown as { answered: Record<string, number> }).answered))

/** Resets the counts of responses, which each case checks. */
const forgetAnswers = () =>
  page.evaluate(() => {
    const { answered } = window as unknown as { answered: Record<string, number> }
    for (const id of Object.keys(answered)) delete answered[id]
  })

const transactions = async () => {
  const blocks = await chain.getBlockNumber()
  const counts = await Promise.all(
    Array.from({ length: blocks + 1 }, async (_, number) => (await chain.getBlock(number))?.transactions.length ?? 0),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

const cases = kinds.flatMap(kind => kind.steps.map(step => ({ kind, step, title: `${kind.method}, ${step.name}` })))

test.each(cases)('$title', async ({ kind, step }) => {
  if (kind.method === 'eth_requestAccounts') await call(page, 'wallet_revokePermissions', [{ eth_accounts: {} }])
  await forgetAnswers()
  const before = { windows: windows.length, sent: await transactions() }
  const reply = await course(kind, step)
  expect(reply).toHaveProperty('result')
  if ('result' in reply) kind.check(reply.result)
  expect(windows.length - before.windows).toBe(1)
  expect((await transactions()) - before.sent).toBe(kind.transactions ?? 0)
  expect(Math.max(...(await answers()))).toBe(1)
  expect(await waiting()).toBe(0)
})
