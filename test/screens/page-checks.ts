/** The checks that run in a page. They are added to each page once, so that they are compiled once. */
import { readLooks } from './colours.ts'
import { chosenFaults, focusFaults, layoutFaults, readChosen, turnedFaults } from './layout.ts'

/** Day and Night, as the wallet's pages know them. */
export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** The size of a window, in px, with the words for it in a fault. */
export type NamedSize = { title: string; width: number; height: number }

/** What a page shows in all modes that need no new frame. */
export type Seen = {
  /** Layout faults, each with its mode. */
  faults: string[]
  /** Looks of the texts in Day and Night. */
  looks: Record<Theme, string[]>
  /** See `readChosen`. */
  chosen: string[]
}

/**
 * Looks at a page in an `iframe`: from left to right, from right to left, at further sizes, in Day and in Night. The
 * browser draws nothing in between.
 */
const lookAround = (sizes: readonly NamedSize[]): Seen => {
  const { layoutFaults, turnedFaults, readChosen, readLooks } = window.checks
  const page = document.documentElement
  const frame = window.frameElement as HTMLElement
  const { cssText } = frame.style
  const looksIn = (theme: Theme) => {
    page.dataset.theme = theme
    return [...readLooks().keys()]
  }

  const chosen = readChosen()
  const { theme } = page.dataset
  const looks = { light: looksIn('light'), dark: looksIn('dark') }
  if (theme === undefined) delete page.dataset.theme
  else page.dataset.theme = theme

  page.dir = 'rtl'
  const faults = [...layoutFaults(), ...turnedFaults()].map(fault => `from right to left: ${fault}`)
  page.dir = 'ltr'
  for (const { title, width, height } of sizes) {
    Object.assign(frame.style, { width: `${width}px`, height: `${height}px` })
    if (window.innerWidth !== width) throw new Error(`the page is ${window.innerWidth} px wide, not ${width}`)
    faults.push(...layoutFaults().map(fault => `${title}: ${fault}`))
  }
  frame.style.cssText = cssText
  return { faults, looks, chosen }
}

const pageChecks = { chosenFaults, focusFaults, layoutFaults, lookAround, readChosen, readLooks, turnedFaults }

/** The script that adds the checks to a page. */
export const PAGE_CHECKS = `window.checks = {${Object.entries(pageChecks).map(([name, check]) => `${name}: ${check}`)}}`

declare global {
  interface Window {
    checks: typeof pageChecks
  }
}
