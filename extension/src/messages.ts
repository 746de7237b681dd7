/**
 * All messages between the extension's contexts: page, content script, background, and the wallet's own pages. Has only
 * types and names. Data is plain JSON: quantities are 0x hex, and there are no class instances.
 */
export * from './messages/backup.ts'
export * from './messages/checks.ts'
export * from './messages/collectibles.ts'
export * from './messages/errors.ts'
export * from './messages/fees.ts'
export * from './messages/imports.ts'
export * from './messages/looks.ts'
export * from './messages/overview.ts'
export * from './messages/own-browser.ts'
export * from './messages/review.ts'
export * from './messages/sessions.ts'
export * from './messages/sockets.ts'
export * from './messages/state.ts'
export * from './messages/transactions.ts'
export * from './messages/ui-methods.ts'
export * from './messages/values.ts'
export * from './messages/wallet.ts'
export * from './messages/web-pages.ts'
