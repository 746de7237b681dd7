/**
 * Checks screens: nothing overflows or is cut, nothing is logged, focus is visible, and elements have their exact
 * names. The gate checks the fixtures of gate-fixtures.ts in Day. The complete run checks all fixtures, also with axe,
 * in Night, with forced colours, from right to left, in narrow and wide windows, and zoomed in. So does
 * SCREENSHOTS=<folder>, which also writes pictures to that folder.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { root } from '../support/root.ts'
import { isComplete } from '../support/suite.ts'
import { type FramedScreen, type Previews, sharedPreviews } from './browser.ts'
import { createModeFaults, dayFaults, focusFaults } from './faults.ts'
import { screens } from './fixtures.ts'
import { gateFixtures } from './gate-fixtures.ts'
import { names } from './names.ts'
import { pictures, shootModes } from './shoot.ts'

/** Folder of the wallet's components. */
const UI = 'extension/src/ui'

const isWhole = isComplete || pictures !== undefined

let previews: Previews

beforeAll(async () => {
  previews = await sharedPreviews(inject('previews'))
})

const modeFaults = createModeFaults()

const checkNames = async ({ frame }: FramedScreen, name: string): Promise<void> => {
  for (const [role, label, count = 1] of names[name] ?? []) {
    const found = frame.getByRole(role, label === '' ? {} : { name: label, exact: true })
    await expect.poll(() => found.count(), { message: `${role} ${label}` }).toBe(count)
  }
}

/** Paths of the components that fixtures have drawn so far, by fixture. */
const drawn = new Map<string, string[]>()

const show = async (name: string): Promise<FramedScreen> => {
  const screen = await previews.replace(name)
  drawn.set(name, await screen.frame.evaluate(() => [...(window.drawn ?? [])]))
  return screen
}

test.for(isWhole ? Object.keys(screens) : gateFixtures)('%s', async name => {
  const screen = await show(name)
  expect(await dayFaults(screen)).toEqual([])
  await checkNames(screen, name)
  if (isWhole) expect(await modeFaults(screen, screens[name]?.page ?? 'popup')).toEqual([])
  expect(await focusFaults(screen)).toEqual([])
  expect(screen.complaints).toEqual([])
  screen.release()
  await shootModes(previews, name)
})

test('a fixture of the gate draws each component', async () => {
  for (const name of gateFixtures) if (!drawn.has(name)) await show(name)
  const paths = readdirSync(join(root, UI), { recursive: true, encoding: 'utf8' })
  const missing = new Set(paths.filter(path => path.endsWith('.svelte')).map(path => `${UI}/${path}`))
  for (const name of gateFixtures) for (const path of drawn.get(name) ?? []) missing.delete(path)
  expect([...missing], 'add a fixture that draws it to gate-fixtures.ts').toEqual([])
})
