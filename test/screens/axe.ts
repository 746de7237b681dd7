/** Runs axe-core in a page. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { root } from '../support/root.ts'

/** The script of axe-core, which sets `window.axe`. */
export const AXE = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')
/**
 * Path at which the preview server serves axe-core. Loading it from there is faster, because the browser caches it
 * compiled.
 */
export const AXE_PATH = '/axe.min.js'

/** All default rules, and target size. */
export const EVERYTHING: RunOptions = { rules: { 'target-size': { enabled: true } } }
/** Only the rules that depend on colours. */
export const COLOURS: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** Returns the page's violations, each with rule, element and reason. */
export const violations = async (page: Page, options: RunOptions): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  return page.evaluate(async options => {
    // Without `preload`, axe would also read all style sheets, for a rule that is not used here.
    const { violations } = await window.axe.run(document, {
      ...options,
      resultTypes: ['violations'],
      preload: { assets: ['media'] },
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary?.replace(/\s+/g, ' ')}`),
    )
  }, options)
}

declare global {
  interface Window {
    axe: typeof import('axe-core')
  }
}
