/** Writes pictures of the tested screens for visual review: SCREENSHOTS=<folder>. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type Previews, SIZES, WIDTHS, ZOOMED } from './browser.ts'
import { screens } from './fixtures.ts'

/** Folder of the pictures; undefined to write none. */
export const pictures = process.env.SCREENSHOTS

/** Writes a picture if pictures are requested. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
}

/** Writes a picture of a screen in every mode if pictures are requested. */
export const shootModes = async (previews: Previews, name: string): Promise<void> => {
  if (!pictures) return
  const { page } = await previews.show(name)
  const shootIn = async (mode: string, media: Parameters<Page['emulateMedia']>[0]) => {
    await page.emulateMedia(media)
    await shoot(page, `${name}.${mode}`)
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
  }
  await shoot(page, `${name}.light`)
  await shootIn('dark', { colorScheme: 'dark' })
  await shootIn('forced', { forcedColors: 'active' })
  const turn = (dir: string) => page.evaluate(dir => document.documentElement.setAttribute('dir', dir), dir)
  await turn('rtl')
  await shoot(page, `${name}.rtl`)
  await turn('ltr')
  const kind = screens[name]?.page ?? 'popup'
  for (const width of WIDTHS[kind]) {
    await page.setViewportSize({ ...SIZES[kind], width })
    await shoot(page, `${name}.${width}`)
    await shootIn(`${width}.dark`, { colorScheme: 'dark' })
  }
  await page.setViewportSize(ZOOMED[kind])
  await shoot(page, `${name}.zoomed`)
}
