/**
 * Renders the pictures for the stores into dist/store/LANGUAGE (`npm run store:pictures`): five of 1280 × 800 with real
 * screens of the wallet and a caption, and the small tile of the Chrome Web Store. All addresses and sites in them are
 * invented.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from '../support/root.ts'
import { connectPreviews, type Previews, startPreviews } from './browser.ts'

const SIZE = { width: 1280, height: 800 }
const TILE = { width: 440, height: 280 }
const STORE = join(root, 'extension/store')
const TO = join(root, 'dist/store')

type Shown = { screen: string; theme: 'light' | 'dark' }
type Texts = { name: string; summary: string; captions: Record<string, string> }

const light = (screen: string): Shown => ({ screen, theme: 'light' })
const dark = (screen: string): Shown => ({ screen, theme: 'dark' })

/** The two screens of each picture, by the name of its caption. */
const PICTURES: Record<string, readonly [Shown, Shown]> = {
  home: [light('home-usual'), light('home-activity')],
  transaction: [light('approve-send-token'), light('approve-danger')],
  typedData: [light('approve-permit'), light('approve-typed-unknown')],
  sessions: [light('sessions'), light('approve-proposal')],
  night: [light('home-usual'), dark('approve-permit')],
}

const asUrl = (type: string, content: Buffer): string => `data:${type};base64,${content.toString('base64')}`

const draw = async (previews: Previews, { screen, theme }: Shown, language: string): Promise<string> => {
  const { page } = await previews.show(screen, language)
  await page.emulateMedia({ colorScheme: theme })
  // An approving button shows `.btn__wait` until it is enabled.
  await page.locator('.btn__wait').waitFor({ state: 'detached' })
  return asUrl('image/png', await page.screenshot({ animations: 'disabled' }))
}

const fontOf = (language: string): string => {
  const scripts: Record<string, string> = {
    ja: '"Noto Sans CJK JP", ',
    zh_CN: '"Noto Sans CJK SC", ',
    ar: '"Noto Sans Arabic", ',
  }
  return `${scripts[language] ?? ''}system-ui, sans-serif`
}

const frame = (language: string, style: string, body: string): string => `<!doctype html>
  <html lang="${language.replace('_', '-')}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
    <style>
      * { box-sizing: border-box; margin: 0 }
      body { font-family: ${fontOf(language)}; background: #14181c; color: #f7f6f3; overflow: hidden }
      ${style}
    </style>
    <body>${body}</body>
  </html>`

const PICTURE_STYLE = `
  body { width: 1280px; height: 800px; display: flex; align-items: center; gap: 40px; padding: 0 48px }
  header { flex: 1; min-width: 0 }
  header img { width: 56px; height: 56px; margin-block-end: 32px; display: block }
  h1 { font-size: 36px; line-height: 1.25; font-weight: 600; hyphens: auto; overflow-wrap: break-word; text-wrap: balance }
  .screen { display: block; flex: none; border-radius: 12px; box-shadow: 0 0 0 1px #ffffff1f, 0 24px 60px #0009 }
  .screen + .screen { margin-block-start: 48px }
  .screen:not(:last-child) { margin-block-end: 48px }`

const TILE_STYLE = `
  body { width: 440px; height: 280px; display: grid; place-content: center; justify-items: center; gap: 16px }
  img { width: 96px; height: 96px }
  h1 { font-size: 40px; font-weight: 600 }`

const shoot = async (page: Page, size: typeof SIZE, html: string): Promise<Buffer> => {
  await page.setViewportSize(size)
  await page.setContent(html)
  await page.evaluate(() => Promise.all([...document.images].map(image => image.decode())))
  return page.screenshot()
}

/** True if this machine has a font for the text. Without one, two different characters have the same picture. */
const isDrawn = (page: Page, text: string): Promise<boolean> =>
  page.evaluate(words => {
    const [one, other] = [...new Set(words.match(/[^\p{ASCII}\p{P}\p{M}]/gu))].slice(0, 2).map(character => {
      const canvas = document.createElement('canvas')
      canvas.getContext('2d')?.fillText(character, 20, 20)
      return canvas.toDataURL()
    })
    return other === undefined || one !== other
  }, text)

const languages = (await readdir(STORE)).map(name => name.replace('.json', ''))
const logo = asUrl('image/svg+xml', await readFile(join(root, 'extension/public/logo.svg')))
const started = await startPreviews()
const previews = await connectPreviews(started.urls)
try {
  for (const language of languages) {
    const texts: Texts = JSON.parse(await readFile(join(STORE, `${language}.json`), 'utf8'))
    const folder = join(TO, language)
    await mkdir(folder, { recursive: true })
    const { page } = await previews.show('home', language)
    if (!(await isDrawn(page, Object.values(texts.captions).join(''))))
      throw new Error(`No font for ${language} was found: install one, such as the package fonts-noto-cjk.`)
    const sheet = await page.context().newPage()
    for (const [at, [name, shown]] of Object.entries(PICTURES).entries()) {
      const screens: string[] = []
      for (const one of shown) screens.push(await draw(previews, one, language))
      const images = screens.map(src => `<img class="screen" alt="" src="${src}">`).join('')
      const body = `<header><img alt="" src="${logo}"><h1>${texts.captions[name]}</h1></header>${images}`
      await writeFile(
        join(folder, `${at + 1}-${name}.png`),
        await shoot(sheet, SIZE, frame(language, PICTURE_STYLE, body)),
      )
    }
    const tile = frame(language, TILE_STYLE, `<img alt="" src="${logo}"><h1>${texts.name}</h1>`)
    await writeFile(join(folder, 'tile.png'), await shoot(sheet, TILE, tile))
    await sheet.close()
  }
} finally {
  await previews.stop()
  await started.stop()
}
