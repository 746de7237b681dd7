/** Finds the page that an act opens. The driver sometimes reports a window only after a reload of its page. */
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'

/** Interval and timeout of polling, in ms. */
const LOOK = 50
const PATIENCE = 30_000
/** Time after which a page that the driver has not reported is reloaded, in ms. */
const COMING = 10_000

/** If the page was reloaded, its clock began with the reload. */
export type OpenedPage = { page: Page; isReloaded: boolean }

/** The used part of the browser's API in a page of an extension. */
declare const chrome: {
  tabs: {
    query(filter: { url: string }): Promise<{ id: number }[]>
    reload(id: number): Promise<void>
    remove(id: number): Promise<void>
  }
}

/** Polls for a page; undefined after the timeout. */
const opened = async (look: () => Page | undefined, patience: number): Promise<Page | undefined> => {
  for (const until = Date.now() + patience; Date.now() < until; await pause(LOOK)) {
    const page = look()
    if (page) return page
  }
  return undefined
}

/** Reloads or removes all tabs with the URL. Returns their number. */
const withTabs = async (context: BrowserContext, url: string, act: 'reload' | 'remove'): Promise<number> => {
  const page = await context.newPage()
  try {
    // This file has the browser's API and runs no script, so that no page of the extension has to be open.
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
 * Acts, and resolves with the page of an extension at `url` that this opens. Throws if the driver reports none, and closes
 * those that it does not see, since the next act would find one of them open.
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
    `${url} was not opened within ${COMING + PATIENCE} ms, but for ${unseen} that the driver does not see`,
  )
}
