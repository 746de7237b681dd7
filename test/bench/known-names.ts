import type { BrowserContext, Page } from 'playwright-core'

/** Defines the helper that the TypeScript loader inserts into functions, in one page or in all pages of a browser. */
export const knowNames = (place: Page | BrowserContext): Promise<unknown> =>
  place.addInitScript('globalThis.__name = named => named')
