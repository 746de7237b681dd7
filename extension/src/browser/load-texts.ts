/** Loads the translated texts into the extension's process. */
import browser from './api.ts'

/**
 * Reads one text. Call it at the start of the background. Chromium loads the texts once for the process that the worker
 * and all pages share. If the page that loads them closes meanwhile, Chromium keeps an empty list, and every later page
 * has no texts. The worker stays open, so it loads them before any page can.
 */
export const loadTexts = (): void => void browser.i18n.getMessage('language')
