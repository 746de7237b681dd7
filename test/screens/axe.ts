/** Runs axe-core in pages. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunOptions } from 'axe-core'
import type { Frame, Page } from 'playwright-core'
import { root } from '../support/root.ts'

/** The script of axe-core, which sets `window.axe`. */
const AXE = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** All default rules, and target size. */
export const EVERYTHING: RunOptions = { rules: { 'target-size': { enabled: true } } }
/** The rules of `EVERYTHING` that do not depend on colours. */
export const WITHOUT_COLOURS: RunOptions = {
  rules: { 'target-size': { enabled: true }, ...Object.fromEntries(COLOUR_RULES.map(id => [id, { enabled: false }])) },
}
/** Only the rules that depend on colours. */
export const COLOURS: RunOptions = { runOnly: COLOUR_RULES }

/** Adds axe to a page. */
const addAxe = async (page: Page | Frame): Promise<void> => {
  await page.evaluate(AXE)
  // Without `noHtml`, axe would also copy the HTML of every element that passes a rule.
  await page.evaluate(() => window.axe.configure({ noHtml: true }))
}

/** Returns the violations inside the elements of a selector, each with rule, element and reason. */
export const violations = async (page: Page | Frame, options: RunOptions, within = 'html'): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await addAxe(page)
  const run = { options, within }
  return page.evaluate(async ({ options, within }) => {
    // Without `preload`, axe would also read all style sheets, for a rule that is not used here.
    const { violations } = await window.axe.run(within, {
      ...options,
      resultTypes: ['violations'],
      preload: { assets: ['media'] },
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary?.replace(/\s+/g, ' ')}`),
    )
  }, run)
}

/**
 * Judges the colours of one text of each of these looks. Returns the violations, and the looks whose contrast is
 * measured and sufficient. The page has axe.
 */
export const judgeLooks = (page: Frame, looks: readonly string[]): Promise<{ faults: string[]; passed: string[] }> =>
  page.evaluate(
    async ({ looks, rules }) => {
      const texts = window.checks.readLooks()
      const { violations, passes } = await window.axe.run(
        { include: [...new Set(looks.flatMap(look => texts.get(look) ?? []))] },
        { runOnly: rules, resultTypes: ['violations', 'passes'], elementRef: true, preload: { assets: ['media'] } },
      )
      const measured = passes
        .filter(({ id }) => id === 'color-contrast')
        .flatMap(({ nodes }) => nodes)
        .filter(({ any }) => any.some(({ data }) => typeof data?.contrastRatio === 'number'))
        .flatMap(({ element }) => element ?? [])
      const faults = violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary?.replace(/\s+/g, ' ')}`,
        ),
      )
      return { faults, passed: looks.filter(look => measured.some(element => texts.get(look)?.contains(element))) }
    },
    { looks: [...looks], rules: COLOUR_RULES },
  )

declare global {
  interface Window {
    axe: typeof import('axe-core')
  }
}
