/** A person with a browser and the built extension in it, used through roles and accessible names alone. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import type { BrowserOptions } from '../browser.ts'
import { builtExtension } from '../build.ts'
import { driveChromium } from '../chromium.ts'
import { driveFirefox } from '../firefox.ts'

/** The browser of this run. A project of Vitest sets it. */
export const isFirefox = process.env.TEST_BROWSER === 'firefox'

/** The phrase of every development chain; its first account holds anvil's coins. */
export const PHRASE = 'test test test test test test test test test test test junk'
export const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const PASSWORD = 'correct horse battery staple'

export type Person = {
  context: BrowserContext
  /** The folder of the browser's profile. */
  profile: string
  /** Opens a page of the wallet in a tab. */
  open(page: 'popup.html' | 'onboarding.html' | 'settings.html'): Promise<Page>
  /** The approval window that `ask` brings up, ready to be read. */
  approval(ask: () => Promise<unknown>): Promise<Page>
  /** Stops the background as the browser does after 30 s without work: a service worker, or the event page of Firefox. */
  killWorker(): Promise<void>
  /** Closes the browser and keeps its profile. What is resolved with opens it again, for the same person. */
  goAway(): Promise<() => Promise<Person>>
  leave(): Promise<void>
}

/** Milliseconds between two looks at a page, and for how long. */
const LOOK = 50
const PATIENCE = 30_000
/** Milliseconds that a window may take to come before its page is loaded once more. */
const COMING = 10_000
/** Milliseconds that a window may take to go before its button is pressed once more, and the button to be ready for it. */
const GOING = 500
const READY = 2_000

/** The page, if there is one within that time. */
const opened = async (look: () => Page | undefined, patience: number): Promise<Page | undefined> => {
  for (const until = Date.now() + patience; Date.now() < until; await pause(LOOK)) {
    const page = look()
    if (page) return page
  }
  return undefined
}

/** Just what is used of the browser's API in a page of the wallet. */
declare const chrome: {
  tabs: {
    query(filter: { url: string }): Promise<{ id: number }[]>
    reload(id: number): Promise<void>
    remove(id: number): Promise<void>
  }
}

/** Does that with all tabs of the address, from another page of the wallet. Tells how many they were. */
const withTabs = (page: Page, url: string, act: 'reload' | 'remove'): Promise<number> =>
  page.evaluate(
    async asked => {
      const tabs = await chrome.tabs.query({ url: asked.url })
      for (const { id } of tabs) await chrome.tabs[asked.act](id)
      return tabs.length
    },
    { url, act },
  )

/** Whatever a page asks Chromium for, no other computer is reached. */
const LOOPBACK_ONLY = 'MAP 127.0.0.1 127.0.0.1, MAP localhost 127.0.0.1, MAP *.localhost 127.0.0.1, MAP * ~NOTFOUND'

/** Folder of the extension, built for the browser of this run. */
export const extensionOfRun = async (): Promise<string> => {
  const built = await builtExtension()
  return isFirefox ? join(built, '../firefox') : built
}

/**
 * Starts a browser with a fresh profile. In Chromium, `hosts` are rules that go before the one that no other computer is
 * reached, and `proxy` gets all requests.
 */
export const startPerson = async (hosts: readonly string[] = [], proxy?: string): Promise<Person> =>
  startPersonWith(await extensionOfRun(), hosts, proxy)

/** The same with the extension in a folder. */
export const startPersonWith = async (
  extension: string,
  hosts: readonly string[] = [],
  proxy?: string,
): Promise<Person> =>
  openPerson({
    extension,
    profile: await mkdtemp(join(tmpdir(), 'heliograph-profile-')),
    headless: true,
    ...(!isFirefox && { hosts: [...hosts, LOOPBACK_ONLY].join(', ') }),
    ...(proxy !== undefined && { proxy }),
  })

/** A person in a browser that is opened so. */
export const openPerson = async (options: BrowserOptions): Promise<Person> => {
  const browser = await (isFirefox ? driveFirefox : driveChromium)(options)
  const { context, base } = browser
  const approvalUrl = `${base}/approval.html`
  const isApproval = (page: Page) => page.url().startsWith(approvalUrl)

  /**
   * The driver may not tell of a window until its page is loaded once more. One that it never tells of is closed: it would
   * be shown all that is asked later.
   */
  const openedLate = async (look: () => Page | undefined): Promise<Page> => {
    const home = context.pages().find(page => page.url().startsWith(`${base}/`) && !isApproval(page))
    if (!home) throw new Error(`no window was opened within ${COMING} ms`)
    await withTabs(home, approvalUrl, 'reload')
    const page = await opened(look, PATIENCE)
    if (page) return page
    const unseen = await withTabs(home, approvalUrl, 'remove')
    throw new Error(
      `no window was opened within ${COMING + PATIENCE} ms, but for ${unseen} that the driver does not see`,
    )
  }

  return {
    context,
    profile: options.profile,
    open: async name => {
      const page = await context.newPage()
      await page.goto(`${base}/${name}`)
      return page
    },
    approval: async ask => {
      const before = new Set(context.pages())
      await ask()
      const look = () => context.pages().find(one => !before.has(one) && isApproval(one))
      const page = (await opened(look, COMING)) ?? (await openedLate(look))
      await page.waitForFunction(() => document.readyState === 'complete', null, { polling: LOOK })
      return page
    },
    killWorker: browser.stopBackground,
    goAway: async () => {
      await browser.close()
      return () => openPerson(options)
    },
    leave: async () => {
      await browser.close()
      await rm(options.profile, { recursive: true, force: true })
    },
  }
}

const choosePassword = async (page: Page, action: 'Continue' | 'Import wallet') => {
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Repeat password', { exact: true }).fill(PASSWORD)
  await page.getByRole('checkbox', { name: /^I understand/ }).check()
  await page.getByRole('button', { name: action, exact: true }).click()
}

/** Imports a phrase, that of development unless another is given. Leaves the wallet's home in the page it returns. */
export const importWallet = async (person: Person, words = PHRASE.split(' ')): Promise<Page> => {
  const page = await person.open('onboarding.html')
  await page.getByRole('button', { name: 'Import wallet', exact: true }).click()
  for (const [place, word] of words.entries()) await page.getByLabel(`Word ${place + 1}`, { exact: true }).fill(word)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await choosePassword(page, 'Import wallet')
  await page.getByRole('button', { name: 'Open wallet', exact: true }).click()
  return page
}

/** Creates a wallet, reading the phrase from the screen and giving back the words that are asked for. */
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
  await page.getByRole('button', { name: 'Open wallet', exact: true }).click()
  return { page, phrase }
}

/** Points the selected network at another node, from the wallet's home. */
export const useRpc = async (page: Page, url: string): Promise<void> => {
  await page.bringToFront()
  await page.getByRole('button', { name: 'Use another RPC', exact: true }).click()
  await page.getByLabel('RPC URL', { exact: true }).fill(url)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'hidden' })
}

/** Selects another network, from the wallet's home. */
export const switchNetwork = async (page: Page, from: string, to: string): Promise<void> => {
  await page.bringToFront()
  await page.getByRole('button', { name: `Switch network, ${from}`, exact: true }).click()
  await page.getByRole('option', { name: new RegExp(`^${to}`) }).click()
  await page.getByRole('button', { name: `Switch network, ${to}`, exact: true }).waitFor()
}

/** Locks the wallet, from its home. */
export const lock = async (page: Page): Promise<void> => {
  await page.bringToFront()
  await page.getByRole('button', { name: 'Switch account, Account 1', exact: true }).click()
  await page.getByRole('button', { name: 'Lock', exact: true }).click()
  await page.getByRole('button', { name: 'Unlock', exact: true }).waitFor()
}

/** Reads what is long to its end, which is when Approve is called that. */
const readToEnd = async (window: Page): Promise<void> => {
  const approve = window.getByRole('button', { name: 'Approve', exact: true })
  const unread = window.getByRole('button', { name: 'Read to the end to approve', exact: true })
  await approve.or(unread).waitFor()
  if (await unread.isVisible()) await window.getByRole('button', { name: 'Go to the end', exact: true }).click()
}

/**
 * Presses a button of the approval window. Where approving is dangerous, the person says first that it is understood; what
 * is long is read to its end.
 */
export const press = async (window: Page, button: 'Approve' | 'Reject' | 'Connect'): Promise<void> => {
  if (button === 'Approve') await readToEnd(window)
  await window.getByRole('button', { name: button, exact: true }).waitFor()
  const understood = window.getByRole('checkbox', { name: /^I understand/ })
  if (button === 'Approve' && (await understood.isVisible())) await understood.check()
  // The click waits until the button takes it: Approve wants a second in which nothing is pressed.
  const clicked = window.getByRole('button', { name: button, exact: true }).click()
  // The window may be gone before the click is reported as done.
  await clicked.catch(() => undefined)
}

/** Whether it is closed, or closes within a moment. */
const isGone = async (window: Page): Promise<boolean> => {
  for (const until = Date.now() + GOING; !window.isClosed() && Date.now() < until; ) await pause(LOOK)
  return window.isClosed()
}

/** The same for the last request in the window, which then goes: what a worker that was stopped missed is pressed again. */
export const decide = async (window: Page, button: 'Approve' | 'Reject' | 'Connect'): Promise<void> => {
  await press(window, button)
  const again = window.getByRole('button', { name: button, exact: true })
  for (const until = Date.now() + PATIENCE; !(await isGone(window)); ) {
    if (Date.now() > until) throw new Error(`the window did not go within ${PATIENCE} ms after ${button}`)
    await again.click({ timeout: READY }).catch(() => undefined)
  }
}
