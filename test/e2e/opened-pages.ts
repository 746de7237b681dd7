/** Finds the page that an action opens. The driver reports some windows only after their page is reloaded. */
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'

/** Interval and timeout of polling, in ms. */
const LOOK = 50
const PATIENCE = 30_000
/** Milliseconds after which a page is reloaded if the driver has not reported it. */
const COMING = 10_000

/** An opened page. If it was reloaded, its clock started with the reload. */
export type OpenedPage = { page: Page; isReloaded: boolean }

/** The part of the browser's API that is used in an extension page. */
declare const chrome: {
  tabs: {
    query(filter: { url: string }): Promise<{ id: number }[]>
    reload(id: number): Promise<void>
    remove(id: number): Promise<void>
  }
}

/** Polls for a page. Resolves with undefined after the timeout. */
const opened = async (look: () => Page | undefined, patience: number): Promise<Page | undefined> => {
  for (const until = Date.now() + patience; Date.now() < until; await pause(LOOK)) {
    const page = look()
    if (page) return page
  }
  return undefined
}

/** Reloads or removes all tabs with this URL. Returns their number. */
const withTabs = async (context: BrowserContext, url: string, act: 'reload' | 'remove'): Promise<number> => {
  const page = await context.newPage()
  try {
    // The manifest, opened as a page, has the browser's extension API but runs no script, so no other page of the
    // extension has to be open.
    await page.goto(new URL('/manifest.json', url).href)
    return await page.evaluate(
      async asked => {
        const tabs = await chrome.tabs.query({ url: asked.url })
        for (const { id } of tabs) await chrome.tabs[asked.act](id)
        return tabs.length
      },
      { url, act },
    )
  } finally {
    await page.close()
  }
}

/**
 * Acts, and resolves with the extension page at `url` that the action opens. If the driver does not report the page,
 * closes it and throws. Otherwise the next action would find the page that stayed open.
 */
export const openedBy = async (
  context: BrowserContext,
  url: string,
  act: () => Promise<unknown>,
): Promise<OpenedPage> => {
  const before = new Set(context.pages())
  await act()
  const look = () => context.pages().find(page => !before.has(page) && page.url().startsWith(url))
  const soon = await opened(look, COMING)
  if (soon) return { page: soon, isReloaded: false }
  await withTabs(context, url, 'reload')
  const late = await opened(look, PATIENCE)
  if (late) return { page: late, isReloaded: true }
  const unseen = await withTabs(context, url, 'remove')
  throw new Error(
    `${url} was not opened within ${COMING + PATIENCE} ms, except ${unseen} that the driver did not report`,
  )
}

/** Resolves with the onboarding tab that the released extension opens at its installation. */
export const welcomePage = async (context: BrowserContext): Promise<Page> => {
  const page = await opened(() => context.pages().find(one => one.url().endsWith('/onboarding.html')), PATIENCE)
  if (!page) throw new Error('The installation opened no page')
  return page
}
