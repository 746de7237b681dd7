/** A simulated user with a browser and the built extension. Finds elements only by role and accessible name. */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import type { BrowserOptions, DrivenBrowser, OpenPanel } from '../support/browser.ts'
import { builtExtension, releasedExtension } from '../support/build.ts'
import { driveChromium } from '../support/chromium.ts'
import { driveFirefox } from '../support/firefox.ts'
import { removeProfile } from '../support/profile.ts'
import { closePages, startAfresh } from './afresh.ts'
import { openedBy, welcomePage } from './opened-pages.ts'
import { callWallet } from './wallet-page.ts'

/** The browser of this run. The Vitest project sets it. */
export const isFirefox = process.env.TEST_BROWSER === 'firefox'

/** The usual development phrase, whose first accounts are funded by anvil. */
export const PHRASE = 'test test test test test test test test test test test junk'
export const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const PASSWORD = 'correct horse battery staple'

/** The local chain, as a user would add it in the settings. */
const LOCAL_CHAIN = {
  chainId: 31337,
  title: 'Local chain',
  symbol: 'ETH',
  explorerUrl: '',
  prefix: 'eth',
  signedMessageName: 'Ethereum',
  testnet: true,
}

export type Person = {
  context: BrowserContext
  /** Opens a wallet page in a tab, or the manifest, which has the browser's API but runs no script. */
  open(page: 'popup.html' | 'panel.html' | 'onboarding.html' | 'settings.html' | 'manifest.json'): Promise<Page>
  /** Opens the wallet's panel beside a page. */
  openPanel(page: Page): Promise<OpenPanel>
  /** Resolves with the approval window that `ask` opens, once it is loaded. */
  approval(ask: () => Promise<unknown>): Promise<Page>
  /** Stops the service worker, or Firefox's event page, as the browser does after 30 s of inactivity. */
  killWorker(): Promise<void>
  leave(): Promise<void>
}

/** A simulated user with a browser that no other test shares. */
export type Owner = Person & {
  /** Path of the browser's profile. */
  profile: string
  /** Closes the browser and keeps its profile. Resolves with a function that opens the browser again. */
  goAway(): Promise<() => Promise<Owner>>
  /** Resets the browser to a new one's state. */
  startAfresh(): Promise<void>
}

/** Interval and timeout of polling, in ms. */
const LOOK = 50
const PATIENCE = 30_000

/** Resolver rules that restrict Chromium to this machine. */
const LOOPBACK_ONLY = 'MAP 127.0.0.1 127.0.0.1, MAP localhost 127.0.0.1, MAP *.localhost 127.0.0.1, MAP * ~NOTFOUND'

/** Returns a build's folder for the browser of this run. */
export const forThisBrowser = (built: string): string => (isFirefox ? join(built, '../firefox') : built)

/** Returns the folder of the extension for tests. */
export const extensionOfRun = async (): Promise<string> => forThisBrowser(await builtExtension())

/** The browser that the files of this process share. */
let shared: Promise<DrivenBrowser> | undefined

const openShared = async (): Promise<DrivenBrowser> => {
  const profile = await newProfile()
  const browser = await drive(optionsFor(await extensionOfRun(), profile))
  // This listener follows the driver's, which kills the browser. An error in it would skip the listeners after it, and a
  // killed browser may still write for a moment.
  process.once('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  // The close event also follows a crash, after which the next test opens another browser.
  browser.context.once('close', () => (shared = undefined))
  return browser
}

/** Starts a simulated user with an empty wallet, in the browser that the files of this process share. */
export const startPerson = async (): Promise<Person> => {
  shared ??= openShared()
  const browser = await shared
  await startAfresh(browser)
  return {
    ...personWith(browser),
    leave: async () => {
      await closePages(browser.context)
    },
  }
}

/**
 * Starts a browser with a new profile and the given extension, by default the extension for tests. In Chromium, `hosts`
 * are resolver rules that take precedence over the restriction to this machine, and all requests go through `proxy`.
 */
export const startOwner = async (
  options: { extension?: string; hosts?: readonly string[]; proxy?: string } = {},
): Promise<Owner> => {
  const { extension = await extensionOfRun(), hosts, proxy } = options
  return openPerson({
    ...optionsFor(extension, await newProfile(), hosts),
    ...(proxy !== undefined && { proxy }),
  })
}

/**
 * Starts a browser with a new profile and the released extension, for tests of the key derivation, of the delay before a
 * press counts, or of the installation. `welcome` is the tab that the installation opens.
 */
export const startWithRelease = async (): Promise<Owner & { welcome: Page }> => {
  const owner = await startOwner({ extension: forThisBrowser(await releasedExtension()) })
  return { ...owner, welcome: await welcomePage(owner.context) }
}

const newProfile = (): Promise<string> => mkdtemp(join(tmpdir(), 'heliograph-profile-'))

const optionsFor = (extension: string, profile: string, hosts: readonly string[] = []): BrowserOptions => ({
  extension,
  profile,
  headless: true,
  ...(!isFirefox && { hosts: [...hosts, LOOPBACK_ONLY].join(', ') }),
})

const drive = (options: BrowserOptions): Promise<DrivenBrowser> => (isFirefox ? driveFirefox : driveChromium)(options)

/** Opens a browser with these options. */
export const openPerson = async (options: BrowserOptions): Promise<Owner> => {
  const browser = await drive(options)
  return {
    ...personWith(browser),
    profile: options.profile,
    goAway: async () => {
      await browser.close()
      return () => openPerson(options)
    },
    startAfresh: () => startAfresh(browser),
    leave: async () => {
      await browser.close()
      await removeProfile(options.profile)
    },
  }
}

const personWith = ({ context, base, openPanel, stopBackground }: DrivenBrowser): Omit<Person, 'leave'> => ({
  context,
  openPanel,
  open: async name => {
    const page = await context.newPage()
    await page.goto(`${base}/${name}`)
    return page
  },
  approval: async ask => {
    const { page } = await openedBy(context, `${base}/approval.html`, ask)
    await page.waitForFunction(() => document.readyState === 'complete', null, { polling: LOOK })
    return page
  },
  killWorker: stopBackground,
})

const choosePassword = async (page: Page, action: 'Continue' | 'Import wallet') => {
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Repeat password', { exact: true }).fill(PASSWORD)
  await page.getByRole('checkbox', { name: /^I understand/ }).check()
  await page.getByRole('button', { name: action, exact: true }).click()
}

/** Continues from the end of the setup to the wallet's home, without a node, as the popup shows it. */
const openHome = async (page: Page) => {
  await page.getByRole('button', { name: 'Later', exact: true }).click()
  await page.getByRole('button', { name: 'Open wallet', exact: true }).click()
  await page.getByRole('button', { name: 'Switch account, Account 1', exact: true }).waitFor()
  await page.goto(new URL('popup.html', page.url()).href)
}

/**
 * Creates a wallet from a phrase, by default the development phrase, over the port that the wallet's pages use. Returns
 * a page that can call the background but has no script of its own.
 */
export const createVault = async (person: Person, phrase = PHRASE): Promise<Page> => {
  const page = await person.open('manifest.json')
  await callWallet(page, 'createVault', { password: PASSWORD, phrase })
  return page
}

/** Creates a wallet like `createVault`. Returns a page with the wallet's home. */
export const importWallet = async (person: Person, phrase = PHRASE): Promise<Page> => {
  const page = await createVault(person, phrase)
  await page.goto(new URL('popup.html', page.url()).href)
  await page.getByRole('button', { name: 'Switch account, Account 1', exact: true }).waitFor()
  return page
}

/** Imports a phrase, by default the development phrase, in the onboarding. Returns a page with the wallet's home. */
export const importByHand = async (person: Person, words = PHRASE.split(' ')): Promise<Page> => {
  const page = await person.open('onboarding.html')
  await page.getByRole('button', { name: 'Import wallet', exact: true }).click()
  for (const [place, word] of words.entries()) await page.getByLabel(`Word ${place + 1}`, { exact: true }).fill(word)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await choosePassword(page, 'Import wallet')
  await openHome(page)
  return page
}

/** Creates a wallet: reads the phrase from the screen and confirms the requested words. */
export const createWallet = async (person: Person): Promise<{ page: Page; phrase: string[] }> => {
  const page = await person.open('onboarding.html')
  await page.getByRole('button', { name: 'Create wallet', exact: true }).click()
  await choosePassword(page, 'Continue')
  await page.getByRole('button', { name: 'Reveal phrase', exact: true }).click()
  const words = await page
    .getByRole('list', { name: /phrase/i })
    .getByRole('listitem')
    .allTextContents()
  const phrase = words.map(word => word.replace(/[^a-z]/g, ''))
  await page.getByRole('checkbox', { name: 'I have written down all 12 words in order.', exact: true }).check()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('button', { name: 'Confirm phrase', exact: true }).waitFor()
  for (const [place, word] of phrase.entries()) {
    const field = page.getByLabel(`Word ${place + 1}`, { exact: true })
    if (await field.isVisible()) await field.fill(word)
  }
  await page.getByRole('button', { name: 'Confirm phrase', exact: true }).click()
  await openHome(page)
  return { page, phrase }
}

/** Adds the local chain at this URL and selects it. */
export const useLocalChain = async (page: Page, url: string): Promise<void> => {
  await callWallet(page, 'saveNetwork', { ...LOCAL_CHAIN, rpcUrls: [url] })
  await callWallet(page, 'selectNetwork', { chainId: LOCAL_CHAIN.chainId })
}

/** Chooses the node of the selected network by its RPC URL, starting at the wallet's home. */
export const useRpc = async (page: Page, url: string): Promise<void> => {
  await page.bringToFront()
  await page.getByRole('button', { name: /^Switch network, / }).click()
  await page.getByRole('button', { name: /^(?:Choose a node|Use another node)$/ }).click()
  await page.getByLabel('Node URL', { exact: true }).fill(url)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'hidden' })
}

/** Selects another network, starting at the wallet's home. */
export const switchNetwork = async (page: Page, from: string, to: string): Promise<void> => {
  await page.bringToFront()
  await page.getByRole('button', { name: `Switch network, ${from}`, exact: true }).click()
  await page.getByRole('option', { name: new RegExp(`^${to}`) }).click()
  await page.getByRole('button', { name: `Switch network, ${to}`, exact: true }).waitFor()
}

/** Locks the wallet, starting at its home. */
export const lock = async (page: Page): Promise<void> => {
  await page.bringToFront()
  await page.getByRole('button', { name: 'Switch account, Account 1', exact: true }).click()
  await page.getByRole('button', { name: 'Lock', exact: true }).click()
  await page.getByRole('button', { name: 'Unlock', exact: true }).waitFor()
}

/** Does what Approve requires: scrolls a long request to its end, and ticks the checkbox of a dangerous one. */
const prepare = async (window: Page): Promise<void> => {
  const approve = window.getByRole('button', { name: 'Approve', exact: true, disabled: false })
  const unread = window.getByRole('button', { name: 'Read to the end to approve', exact: true })
  const understood = window.getByRole('checkbox', { name: /^I understand/ })
  // While the request waits for a slow node, none of the three elements is shown, so this waits for the first to
  // appear.
  await approve.or(unread).or(understood).first().waitFor()
  if (await unread.isVisible()) await window.getByRole('button', { name: 'Go to the end', exact: true }).click()
  await approve.or(understood).first().waitFor()
  if (await understood.isVisible()) await understood.check()
}

/**
 * Presses a button of the approval window. Before approving, scrolls long requests to the end and ticks the checkbox of
 * dangerous ones.
 */
export const press = async (window: Page, button: 'Approve' | 'Reject' | 'Connect'): Promise<void> => {
  if (button === 'Approve') await prepare(window)
  const pressed = window.getByRole('button', { name: button, exact: true })
  await pressed.waitFor()
  // The click waits until the button is enabled, which takes a second without presses.
  await lastAct(window, () => pressed.click())
}

/** True once the window is closed; false if it is still open at the timeout. */
const closes = async (window: Page, patience: number): Promise<boolean> => {
  for (const until = Date.now() + patience; !window.isClosed(); await pause(LOOK)) if (Date.now() > until) return false
  return true
}

/**
 * Acts in a window that can close before the driver gets a response. Firefox reports the action as failed before the
 * close.
 */
export const lastAct = async (window: Page, act: () => Promise<void>): Promise<void> => {
  await act().catch(async error => {
    if (!(await closes(window, PATIENCE))) throw error
  })
}

/** Acts once in a window and waits until it closes. */
export const untilClosed = async (window: Page, act: () => Promise<void>): Promise<void> => {
  await lastAct(window, act)
  if (!(await closes(window, PATIENCE))) throw new Error(`the window did not close within ${PATIENCE} ms`)
}

/** Decides the last request with one press and waits until the window closes. */
export const decide = (window: Page, button: 'Approve' | 'Reject' | 'Connect'): Promise<void> =>
  untilClosed(window, () => press(window, button))
