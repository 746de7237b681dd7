/**
 * Checks screens: nothing overflows or is cut, nothing is logged, focus is visible, and elements have their exact
 * names. The gate checks the fixtures of gate-fixtures.ts in Day. The complete run checks all fixtures, also with axe,
 * in Night, with forced colours, from right to left, in narrow and wide windows, and zoomed in. So does SCREENSHOTS=<folder>, which also writes
 * pictures to that folder.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, inject, test } from 'vitest'
import { root } from '../support/root.ts'
import { isComplete } from '../support/suite.ts'
import { AXE_PATH, COLOURS, EVERYTHING, violations } from './axe.ts'
import { type OpenScreen, type Previews, SIZES, sharedPreviews, WIDTHS, ZOOMED } from './browser.ts'
import { screens } from './fixtures.ts'
import { gateFixtures } from './gate-fixtures.ts'
import { chosenFaults, focusFaults, layoutFaults, turnedFaults } from './layout.ts'
import { names } from './names.ts'
import { pictures, shoot } from './shoot.ts'

/** Folder of the wallet's components. */
const UI = 'extension/src/ui'

const isWhole = isComplete || pictures !== undefined

let previews: Previews

beforeAll(async () => {
  previews = await sharedPreviews(inject('previews'))
})

const turn = (page: Page, dir: 'ltr' | 'rtl') =>
  page.evaluate(dir => {
    document.documentElement.dir = dir
  }, dir)

const checkDay = async (page: Page, name: string): Promise<void> => {
  expect(await layoutFaults(page)).toEqual([])
  expect(await page.evaluate(() => document.getAnimations().length), 'moving, with reduced motion').toBe(0)
  await shoot(page, `${name}.light`)
  for (const [role, label, count = 1] of names[name] ?? []) {
    const found = page.getByRole(role, label === '' ? {} : { name: label, exact: true })
    await expect.poll(() => found.count(), { message: `${role} ${label}` }).toBe(count)
  }
}

const checkWhole = async (page: Page, name: string): Promise<void> => {
  await page.addScriptTag({ url: AXE_PATH })
  expect(await violations(page, EVERYTHING)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(page, COLOURS), 'at night').toEqual([])
  await shoot(page, `${name}.dark`)
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
  expect(await chosenFaults(page), 'with few colours').toEqual([])
  await shoot(page, `${name}.forced`)
  await page.emulateMedia({ forcedColors: 'none' })

  await turn(page, 'rtl')
  expect(await layoutFaults(page), 'from right to left').toEqual([])
  expect(await turnedFaults(page)).toEqual([])
  await shoot(page, `${name}.rtl`)
  await turn(page, 'ltr')

  const kind = screens[name]?.page ?? 'popup'
  for (const width of WIDTHS[kind]) {
    await page.setViewportSize({ ...SIZES[kind], width })
    expect(await layoutFaults(page), `${width} px wide`).toEqual([])
    await shoot(page, `${name}.${width}`)
    if (pictures) {
      await page.emulateMedia({ colorScheme: 'dark' })
      await shoot(page, `${name}.${width}.dark`)
      await page.emulateMedia({ colorScheme: 'light' })
    }
  }

  await page.setViewportSize(ZOOMED[kind])
  expect(await layoutFaults(page), 'at 200 % zoom').toEqual([])
  await shoot(page, `${name}.zoomed`)
}

/** Paths of the components that fixtures have drawn so far, by fixture. */
const drawn = new Map<string, string[]>()

const show = async (name: string): Promise<OpenScreen> => {
  const screen = await previews.show(name)
  drawn.set(name, await screen.page.evaluate(() => [...(window.drawn ?? [])]))
  return screen
}

test.for(isWhole ? Object.keys(screens) : gateFixtures)('%s', async name => {
  const { page, complaints } = await show(name)
  await checkDay(page, name)
  if (isWhole) await checkWhole(page, name)
  expect(await focusFaults(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('a fixture of the gate draws each component', async () => {
  for (const name of gateFixtures) if (!drawn.has(name)) await show(name)
  const paths = readdirSync(join(root, UI), { recursive: true, encoding: 'utf8' })
  const missing = new Set(paths.filter(path => path.endsWith('.svelte')).map(path => `${UI}/${path}`))
  for (const name of gateFixtures) for (const path of drawn.get(name) ?? []) missing.delete(path)
  expect([...missing], 'add a fixture that draws it to gate-fixtures.ts').toEqual([])
})
