import type { Page } from 'playwright-core'

/** Has the page know what the loader of TypeScript wraps functions in. */
export const knowNames = (page: Page): Promise<unknown> => page.addInitScript('globalThis.__name = named => named')
