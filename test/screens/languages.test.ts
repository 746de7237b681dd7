/**
 * Screens in every language but English: nothing overflows or is cut, in both text directions, and in Arabic also
 * zoomed in.
 */
import { beforeAll, expect, inject, test } from 'vitest'
import { type Previews, sharedPreviews, ZOOMED } from './browser.ts'
import { screens } from './fixtures.ts'
import { shoot } from './shoot.ts'

const LANGUAGES = ['de', 'es', 'ja', 'zh_CN', 'ar']
/** The screens with the most text in the smallest space. */
const SCREENS = [
  'home-tokens',
  'home-rpc-unreachable',
  'send-amount',
  'receive',
  'approve-connect',
  'approve-danger',
  'approve-siwe-mismatch',
  'approve-queue',
  'approve-l1-fee',
  'approve-l1-fee-unknown',
  'import-phrase',
  'settings-networks',
  'settings-security',
  'settings-accounts',
  'set-up-nodes',
  'token-coin',
  'home-found',
  'values-home-found',
  'values-approve-send',
  'values-overview',
  'approve-item',
  'settings-tokens-looks',
]
/** In some fonts, line boxes are taller than the glyphs. Overlapping lines are therefore checked only in English. */
const isOfFaces = (fault: string) => fault.includes(' overlaps')

let previews: Previews

beforeAll(async () => {
  previews = await sharedPreviews(inject('previews'))
})

test.for(LANGUAGES)('%s', async language => {
  for (const name of SCREENS) {
    const { page, complaints } = await previews.show(name, language)
    const faults = await page.evaluate(() => window.checks.layoutFaults())
    expect(
      faults.filter(fault => !isOfFaces(fault)),
      name,
    ).toEqual([])
    expect(complaints, name).toEqual([])
    await shoot(page, `${name}.${language}`)
  }
})

const IN_ARABIC = [
  'home-tokens',
  'home-activity',
  'send-review',
  'receive',
  'approve-connect',
  'approve-send-token',
  'approve-danger',
  'approve-siwe-mismatch',
  'approve-safe',
  'approve-typed-unknown',
  'import-phrase',
  'welcome',
  'settings-accounts',
  'settings-networks',
  'settings-sites',
  'set-up-nodes',
  'token-coin',
  'home-found',
  'values-home-found',
  'values-approve-send',
  'settings-tokens-looks',
]

test.for(IN_ARABIC)('%s in Arabic', async name => {
  const { page, complaints } = await previews.show(name, 'ar')
  expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
    'ar',
    'rtl',
  ])
  expect(await page.evaluate(() => window.checks.layoutFaults())).toEqual([])
  expect(await page.evaluate(() => window.checks.turnedFaults())).toEqual([])
  await shoot(page, `${name}.ar`)
  await page.setViewportSize(ZOOMED[screens[name]?.page ?? 'popup'])
  expect(await page.evaluate(() => window.checks.layoutFaults()), 'at 200 % zoom').toEqual([])
  expect(complaints).toEqual([])
})

test('in Arabic, the fee bar reads from right to left: the expected fee, then the highest, then the button', async () => {
  const { page } = await previews.show('approve-l1-fee', 'ar')
  const edges = await page.evaluate(() => {
    const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
    return ['.feebar > .t2', '.feebar__v > bdi', '.feebar__v > .t3', '.feebar > .btn'].map(
      part => box(part)?.right ?? 0,
    )
  })
  expect(edges).toEqual(edges.toSorted((one, other) => other - one))
  expect(new Set(edges).size).toBe(edges.length)
})
