/** Screens in every language but English: nothing overflows or is cut, in either text direction. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connectPreviews, type Previews } from './browser.ts'
import { layoutFaults } from './layout.ts'

const LANGUAGES = ['de', 'es', 'ja', 'zh_CN', 'ar']
/** The screens with the most text in the least space. */
const SCREENS = [
  'home-tokens',
  'home-rpc-unreachable',
  'send-amount',
  'receive',
  'approve-connect',
  'approve-danger',
  'approve-siwe-mismatch',
  'approve-queue',
  'import-phrase',
  'settings-networks',
  'settings-security',
  'settings-accounts',
]
/** The line boxes of some fonts are taller than their glyphs, so overlapping lines are checked in English only. */
const isOfFaces = (fault: string) => fault.includes(' lies upon ')
const pictures = process.env.SCREENSHOTS

let previews: Previews

beforeAll(async () => {
  previews = await connectPreviews(inject('previews'))
})
afterAll(() => previews?.stop())

test.for(LANGUAGES)('%s', async language => {
  for (const name of SCREENS) {
    const { page, complaints } = await previews.show(name, language)
    const faults = await layoutFaults(page)
    expect(
      faults.filter(fault => !isOfFaces(fault)),
      name,
    ).toEqual([])
    expect(complaints, name).toEqual([])
    if (pictures) await page.screenshot({ path: join(pictures, `${name}.${language}.png`), animations: 'disabled' })
  }
})
