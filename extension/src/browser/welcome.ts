/** Opens the onboarding in a tab once the extension is installed. Updates of the extension or the browser open no page. */
import type { Store } from '../wallet/storage/store.ts'
import { report } from '../wallet/text/errors.ts'
import browser from './api.ts'

/** Reasons of `runtime.onInstalled` after which the onboarding opens. Empty in the build for tests. */
export const WELCOMED: readonly string[] = ['install']

/**
 * Adds the listener. Call it at the start of the background, because the browser fires the event once. Nothing opens if
 * `local` already has a wallet: a browser can keep the data of a removed extension.
 */
export const welcomeNewUser = (local: Store): void => {
  browser.runtime.onInstalled.addListener(async ({ reason }) => {
    if (!WELCOMED.includes(reason)) return
    try {
      if ((await local.get('vault')) !== undefined) return
      await browser.tabs.create({ url: browser.runtime.getURL('onboarding.html') })
    } catch (error) {
      report(error)
    }
  })
}
