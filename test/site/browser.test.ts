/** The site in Chromium, opened from the disk: reading, searching, and layout. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSite } from '../../deploy/site/build.ts'
import { pageOf } from '../../deploy/site/links.ts'
import { documentPaths, readSource } from '../../deploy/site/sources.ts'
import { findChromium } from '../../programs.js'
import { COLOURS, EVERYTHING, violations, WITHOUT_COLOURS } from '../screens/axe.ts'

const DESKTOP = { width: 1440, height: 900 }
const TABLET = { width: 800, height: 1000 }
/** WCAG 2.2, 1.4.10: at this width, content must not need scrolling in two directions. */
const NARROWEST = { width: 320, height: 640 }

/** All rules. Preloading is off, because axe would fetch the style sheet, which the pages' policy forbids. */
const RULES = { ...EVERYTHING, preload: false }

const site = buildSite(documentPaths(), readSource)
const documents = documentPaths().map(pageOf)
const [ofFile = ''] = [...site.keys()].filter(path => path.endsWith('.html') && !documents.includes(path))
/** All documents, and one page of a file to which a document links: these pages differ only in one text. */
const paths = [...documents, ofFile]

let browser: Browser
let folder: string
/** One page shows all pages of the site, so that the browser compiles axe once. */
let page: Page
/** Console messages, errors, and requests outside of the site's folder, since the last visit. */
const complaints: string[] = []

const urlOf = (path: string): string => pathToFileURL(join(folder, path)).href

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'site-'))
  for (const [path, bytes] of site) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium was found: install it, or set CHROMIUM_PATH to one.')
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] })
  page = await browser.newPage()
  page.on('console', message => complaints.push(`${page.url()}: ${message.text()}`))
  page.on('pageerror', error => complaints.push(`${page.url()}: ${error.message}`))
  page.on('request', request => {
    if (!request.url().startsWith(urlOf(''))) complaints.push(`${page.url()} asks ${request.url()}`)
  })
})
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Loads a page of the site. */
const visit = async (path: string, viewport = DESKTOP): Promise<void> => {
  await page.setViewportSize(viewport)
  complaints.length = 0
  await page.goto(urlOf(path))
}

/** Only the rules that depend on colours, and all others. */
const COLOUR_RULES = { ...COLOURS, preload: false }
const OTHER_RULES = { ...WITHOUT_COLOURS, preload: false }

/** Attribute of the elements of the kinds that no earlier page has. */
const NEW = 'data-new'

/**
 * Marks the page's elements of new kinds with `NEW`, and returns these kinds. A kind is an element and its ancestors,
 * each with what the style sheet's selectors can tell apart. Elements of a kind look the same, because pages have no
 * other styles (site.test.ts).
 */
const markNew = (known: readonly string[]): Promise<string[]> =>
  page.evaluate(
    ({ known, mark }) => {
      const old = new Set(known)
      const named = new Map<Element | null, string>([[null, '']])
      for (const element of document.querySelectorAll('*')) {
        const { tagName, className, parentElement } = element
        const told = ['role', 'rel', 'aria-current'].map(name => element.getAttribute(name) ?? '')
        const kind = [named.get(parentElement), '>', tagName, className, ...told].join(' ')
        named.set(element, kind)
        if (!old.has(kind)) element.setAttribute(mark, '')
      }
      return [...new Set(named.values())].filter(kind => !old.has(kind))
    },
    { known, mark: NEW },
  )

/** Kinds of elements that earlier pages have. */
const seen: string[] = []

const widthOfContent = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth)

test.for(paths)('%s violates no accessibility rule in light or dark, and overflows on no device', async path => {
  await visit(path)
  expect(await widthOfContent()).toBe(DESKTOP.width)
  const kinds = await markNew(seen)
  // Around `main`, pages without new kinds of elements differ only in the texts and targets of links.
  expect(await violations(page, OTHER_RULES, kinds.length > 0 ? 'html' : 'main')).toEqual([])
  for (const colorScheme of kinds.length > 0 ? (['dark', 'light'] as const) : []) {
    await page.emulateMedia({ colorScheme })
    expect(await violations(page, COLOUR_RULES, `[${NEW}]`), colorScheme).toEqual([])
  }
  seen.push(...kinds)
  // At both widths, a page has one column: known kinds of elements that fit into the narrower one fit into the wider.
  for (const viewport of kinds.length > 0 ? [TABLET, NARROWEST] : [NARROWEST]) {
    await page.setViewportSize(viewport)
    expect(await widthOfContent()).toBe(viewport.width)
  }
  expect(complaints).toEqual([])
})

test('a wide table is scrolled in its own box by keyboard', async () => {
  await visit('docs/metrics.html', NARROWEST)
  const table = page.getByRole('group', { name: /^Table: metric, servers, meaning/ }).first()
  await table.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => table.evaluate(element => element.scrollLeft)).toBeGreaterThan(0)
})

test('on a phone the list of pages and the contents of a page open with one press each', async () => {
  await visit('docs/scaling.html', NARROWEST)
  await page.getByText('On this page', { exact: true }).first().click()
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'On Kubernetes' }).click()
  expect(page.url()).toContain('#on-kubernetes')
  await page.getByText('All pages', { exact: true }).click()
  await page.getByRole('navigation', { name: 'All pages' }).getByRole('link', { name: 'Run a relay' }).click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Run a relay')
})

test('a search by keyboard leads to the section, from the disk', async () => {
  await visit('docs/webhooks.html')
  await page.keyboard.press('/')
  await page.keyboard.type('limits parser')
  const field = page.getByRole('combobox', { name: 'Search the documentation' })
  const options = page.getByRole('option')
  expect(await field.getAttribute('aria-expanded')).toBe('true')
  expect(await options.first().locator('mark').allTextContents()).toContain('parser')
  expect(await page.getByRole('status').textContent()).toMatch(/^\d+ results?$/)
  expect(await violations(page, RULES)).toEqual([])

  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  const chosen = options.first()
  expect(await chosen.getAttribute('aria-selected')).toBe('true')
  expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
  await page.keyboard.press('Escape')
  expect(await options.count()).toBe(0)
  expect(await field.inputValue()).toBe('limits parser')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/docs\/self-hosting\.html#limits-of-the-http-parser$/)
  expect(complaints).toEqual([])
})

test('titles come before headings, and headings before text', async () => {
  await visit('index.html')
  const field = page.getByRole('combobox')
  const first = () => page.getByRole('option').first().locator('strong').textContent()
  await field.fill('performance')
  expect(await first()).toBe('Performance')
  await field.fill('kubernetes')
  expect(await first()).toBe('Several servers on one Redis › On Kubernetes')
  await field.fill('heliograph_redis_slots_failing')
  expect(await page.getByRole('option').count()).toBe(1)
})

test('a query is never interpreted as HTML, and a query without results is reported', async () => {
  await visit('index.html')
  const field = page.getByRole('combobox')
  for (const query of ['<img src=x onerror=alert(1)>', '(', '[', '\\', '.*'.repeat(100), 'a'.repeat(1000)]) {
    await field.fill(query)
    expect(await page.locator('.search img, .search script').count()).toBe(0)
  }
  await field.fill('<b>nothing</b>')
  expect(await page.getByRole('status').textContent()).toBe('Nothing found for “<b>nothing</b>”.')
  expect(await page.getByRole('status').evaluate(element => element.getBoundingClientRect().height)).toBeGreaterThan(20)
  expect(complaints).toEqual([])
})

test('without JavaScript everything can be read and no search is shown', async () => {
  const page = await browser.newPage({ viewport: DESKTOP, javaScriptEnabled: false })
  await page.goto(urlOf('docs/metrics.html'))
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Health, status and metrics')
  expect(await page.getByRole('combobox').count()).toBe(0)
  await page.getByRole('link', { name: 'Next' }).click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Performance')
  await page.close()
})

test('the first tab stop skips the navigation', async () => {
  await visit('docs/metrics.html')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const isInside = await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))
  expect(isInside).toBe(true)
})

test('a page is printed in full width, without navigation', async () => {
  await visit('docs/metrics.html')
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('navigation').count()).toBe(0)
  expect(await page.locator('article').isVisible()).toBe(true)
  await page.emulateMedia({ media: null })
})
