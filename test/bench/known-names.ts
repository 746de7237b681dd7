import type { BrowserContext, Page } from 'playwright-core'

/** Has the page, or all pages of a browser, know what the loader of TypeScript wraps functions in. */
export const knowNames = (place: Page | BrowserContext): Promise<unknown> =>
  place.addInitScript('globalThis.__name = named => named')
