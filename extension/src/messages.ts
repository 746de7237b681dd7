/**
 * Every message between the contexts of the extension: page, content script, background, and the wallet's own pages.
 * Types and names only. What the wallet shows is plain JSON here: quantities are 0x hex, nothing is a class.
 */
export * from './messages/methods.ts'
export * from './messages/pages.ts'
export * from './messages/review.ts'
export * from './messages/sessions.ts'
export * from './messages/sockets.ts'
export * from './messages/state.ts'
export * from './messages/transactions.ts'
export * from './messages/wallet.ts'
