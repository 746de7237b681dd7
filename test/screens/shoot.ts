/** Pictures of the screens under test, for people to look at: SCREENSHOTS=<folder>. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Folder of the pictures. Absent if none are wanted. */
export const pictures = process.env.SCREENSHOTS

/** Writes a picture, if they are wanted. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
}
