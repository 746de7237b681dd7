/** Writes pictures of the tested screens for visual review: SCREENSHOTS=<folder>. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Folder of the pictures; undefined to write none. */
export const pictures = process.env.SCREENSHOTS

/** Writes a picture if pictures are requested. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
}
