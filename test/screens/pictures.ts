/**
 * Renders the pictures in the documents (`npm run screens`): one sheet with the main screens in Day and Night, and two
 * single screens. All addresses and sites in them are invented.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from '../support/root.ts'
import { connectPreviews, type Previews, startPreviews } from './browser.ts'

const THEMES = ['light', 'dark'] as const

/** The screens on the sheet, in the order in which a new user sees them. */
const MAIN = [
  'home-usual',
  'home-activity',
  'send-review',
  'receive',
  'approve-connect',
  'approve-sign-text',
  'approve-send-token',
  'approve-permit',
  'approve-danger',
  'approve-siwe-mismatch',
  'approve-insufficient',
  'approve-typed-unknown',
]
const LONE = { home: 'home-usual', approval: 'approve-danger' }

/** Renders a screen in both themes. Returns image URLs. */
const draw = async (previews: Previews, name: string): Promise<string[]> => {
  const { page } = await previews.show(name)
  const drawn: string[] = []
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    const picture = await page.screenshot({ animations: 'disabled' })
    drawn.push(`data:image/png;base64,${picture.toString('base64')}`)
  }
  return drawn
}

/** Arranges pictures of this width on a sheet with this number of columns. Returns the sheet as an image. */
const layOut = async (page: Page, pictures: readonly string[], width: number, columns: number): Promise<Buffer> => {
  await page.setViewportSize({ width: columns * (width + 16) + 16, height: 400 })
  await page.setContent(
    `<body style="margin:0;padding:16px;display:grid;gap:16px;align-items:start;grid-template-columns:repeat(${columns},${width}px);background:#8a8a86">
      ${pictures.map(src => `<img src="${src}" style="width:${width}px;border-radius:8px">`).join('')}
    </body>`,
  )
  await page.evaluate(() => Promise.all([...document.images].map(image => image.decode())))
  return page.screenshot({ fullPage: true })
}

const started = await startPreviews()
const previews = await connectPreviews(started.urls)
try {
  const pictures: string[] = []
  for (const name of MAIN) pictures.push(...(await draw(previews, name)))
  const lone = new Map<string, string[]>()
  for (const [name, screen] of Object.entries(LONE)) lone.set(name, await draw(previews, screen))

  const { page } = await previews.show('home')
  const sheet = await page.context().newPage()
  await writeFile(join(root, 'docs/screens.png'), await layOut(sheet, pictures, 180, 6))
  for (const [name, pair] of lone) await writeFile(join(root, `docs/${name}.png`), await layOut(sheet, pair, 360, 2))
} finally {
  await previews.stop()
  await started.stop()
}
