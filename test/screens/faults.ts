/** Finds the faults of a screen in every mode: themes, directions, window sizes, zoom, forced colours and focus. */
import type { Frame } from 'playwright-core'
import { judgeLooks, violations, WITHOUT_COLOURS } from './axe.ts'
import { type FramedScreen, SIZES, WIDTHS, ZOOMED } from './browser.ts'
import type { Page as PageName } from './fixtures/screen.ts'
import { type NamedSize, type Seen, THEMES } from './page-checks.ts'

const sizesOf = (kind: PageName): NamedSize[] => [
  ...WIDTHS[kind].map(width => ({ title: `${width} px wide`, ...SIZES[kind], width })),
  { title: 'at 200 % zoom', ...ZOOMED[kind] },
]

/** Returns the faults of a screen's layout and motion at its own size. */
export const dayFaults = ({ frame }: FramedScreen): Promise<string[]> =>
  frame.evaluate(() => [
    ...window.checks.layoutFaults(),
    ...document.getAnimations().map(() => 'something moves, with reduced motion'),
  ])

/** Returns the faults of a screen's focus. Leaves the focus on the last control. */
export const focusFaults = async ({ page, frame }: FramedScreen): Promise<string[]> => {
  await page.keyboard.press('Tab')
  return frame.evaluate(() => window.checks.focusFaults())
}

/** Number of screens in which axe may fail to measure the contrast of a look, for example behind another element. */
const MOST_TRIES = 3

/**
 * Returns a function that judges a screen's colours. It remembers the looks that axe has found sufficient, and judges
 * only texts of other looks.
 */
const createContrast = (): ((screen: FramedScreen, looks: Seen['looks']) => Promise<string[]>) => {
  const passed = new Set<string>()
  const tries = new Map<string, number>()
  return async ({ frame }, looks) => {
    const faults: string[] = []
    for (const theme of THEMES) {
      const unseen = looks[theme].filter(look => !passed.has(look) && (tries.get(look) ?? 0) < MOST_TRIES)
      if (unseen.length === 0) continue
      const before = await setTheme(frame, theme)
      const judged = await judgeLooks(frame, unseen)
      await setTheme(frame, before)
      faults.push(...judged.faults.map(fault => `in ${theme}: ${fault}`))
      if (judged.faults.length > 0) continue
      for (const look of unseen) tries.set(look, (tries.get(look) ?? 0) + 1)
      for (const look of judged.passed) passed.add(look)
    }
    return faults
  }
}

/** Sets the theme of a wallet page, undefined for the system's. Returns the previous theme. */
const setTheme = (frame: Frame, theme: string | undefined): Promise<string | undefined> =>
  frame.evaluate(theme => {
    const { dataset } = document.documentElement
    const before = dataset.theme
    if (theme === undefined) delete dataset.theme
    else dataset.theme = theme
    return before
  }, theme)

/** Returns a function that checks how selected elements look with forced colours. It remembers groups of elements. */
const createForced = (): ((screen: FramedScreen, chosen: Seen['chosen']) => Promise<string[]>) => {
  const passed = new Set<string>()
  return async ({ page, frame }, chosen) => {
    const unseen = chosen.filter(one => !passed.has(one))
    if (unseen.length === 0) return []
    await page.emulateMedia({ forcedColors: 'active' })
    const faults = await frame.evaluate(() => window.checks.chosenFaults())
    await page.emulateMedia({ forcedColors: 'none' })
    if (faults.length === 0) for (const one of unseen) passed.add(one)
    return faults.map(fault => `with few colours: ${fault}`)
  }
}

/** Returns a function that finds a screen's faults in all modes that `dayFaults` and `focusFaults` do not check. */
export const createModeFaults = (): ((screen: FramedScreen, kind: PageName) => Promise<string[]>) => {
  const contrastFaults = createContrast()
  const forcedFaults = createForced()
  return async (screen, kind) => {
    const { frame } = screen
    const { faults, looks, chosen } = await frame.evaluate(sizes => window.checks.lookAround(sizes), sizesOf(kind))
    return [
      ...faults,
      ...(await violations(frame, WITHOUT_COLOURS)),
      ...(await contrastFaults(screen, looks)),
      ...(await forcedFaults(screen, chosen)),
    ]
  }
}
