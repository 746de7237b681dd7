/**
 * Plants a fault of each kind into screens that were found to be without faults, and checks that it is found. The checks
 * remember what they have seen, and must not take the fault for the same.
 */
import { beforeAll, expect, inject, test } from 'vitest'
import { type FramedScreen, type Previews, sharedPreviews } from './browser.ts'
import { createModeFaults, dayFaults, focusFaults } from './faults.ts'
import { screens } from './fixtures.ts'

type Fault = {
  title: string
  screen: string
  css?: string
  /** HTML at the start of the screen's content. */
  html?: string
  /** Class of all tabs. */
  tabs?: string
  found: RegExp
}

const TINY_BUTTON = '<button aria-label="A" style="width: 8px; height: 8px; min-height: 0; padding: 0"></button>'

const FAULTS: readonly Fault[] = [
  {
    title: 'a text that is too pale in Day',
    screen: 'home-usual',
    css: 'h1, h2, button { color: light-dark(#b0b0b0, #eceef0) !important }',
    found: /^in light: color-contrast: /,
  },
  {
    title: 'a text that is too dark in Night',
    screen: 'home-usual',
    css: 'h1, h2, button { color: light-dark(#16181b, #3a3f45) !important }',
    found: /^in dark: color-contrast: /,
  },
  {
    title: 'a background that is too dark in Night',
    screen: 'approve-connect',
    css: 'p, dd { background: light-dark(#fff, #9aa0a6) !important }',
    found: /^in dark: color-contrast: /,
  },
  {
    title: 'a link that only its colour sets apart, in Night',
    screen: 'approve-connect',
    html: '<p style="color: light-dark(#16181b, #fff)">More about it <a style="text-decoration: none; color: light-dark(#d00000, #ececec)" href="#x">on this page</a> of the wallet</p>',
    found: /^in dark: link-in-text-block: /,
  },
  {
    title: 'a field without a label',
    screen: 'home-usual',
    html: '<input type="text" value="1">',
    found: /^label: /,
  },
  { title: 'a button without a name', screen: 'home-usual', html: '<button></button>', found: /^button-name: / },
  {
    title: 'two controls that are too small and too close',
    screen: 'home-usual',
    html: `<div style="line-height: 1">${TINY_BUTTON}${TINY_BUTTON}</div>`,
    found: /^target-size: /,
  },
  {
    title: 'a page that is too wide at 360 px',
    screen: 'approve-connect',
    css: '@media (max-width: 370px) { .win__body > * { min-width: 500px } }',
    found: /^360 px wide: .* and its content /,
  },
  {
    title: 'a page that is too wide at 480 px',
    screen: 'approve-connect',
    css: '@media (width: 480px) { .win__body > * { min-width: 600px } }',
    found: /^480 px wide: .* and its content /,
  },
  {
    title: 'a text that is cut at 1,280 px',
    screen: 'home-usual',
    css: '@media (width: 1280px) { h1, h2, button { max-width: 12px; overflow: hidden; white-space: nowrap } }',
    found: /^1280 px wide: .* is cut$/,
  },
  {
    title: 'a page that is too wide when zoomed in',
    screen: 'approve-connect',
    css: '@media (max-width: 210px) { .win__body > * { min-width: 300px } }',
    found: /^at 200 % zoom: .* and its content /,
  },
  {
    title: 'a text that is cut from right to left',
    screen: 'home-usual',
    css: '[dir="rtl"] button { max-width: 12px; overflow: hidden; white-space: nowrap }',
    found: /^from right to left: .* is cut$/,
  },
  {
    title: 'an address that runs from right to left',
    screen: 'home-usual',
    html: '<p><span style="unicode-bidi: bidi-override">0xabcdef0123</span></p>',
    found: /^from right to left: .* runs from right to left$/,
  },
  {
    title: 'a selected tab that looks like the others with forced colours',
    screen: 'home-usual',
    css: `@media (forced-colors: active) {
      .planted, .planted::after { all: unset !important; forced-color-adjust: none !important }
    }`,
    tabs: 'planted',
    found: /^with few colours: .* does not look selected$/,
  },
  {
    title: 'an element that moves in spite of reduced motion',
    screen: 'home-usual',
    css: '@keyframes planted { to { opacity: 0.5 } } h1, h2, button { animation: planted 1s infinite paused !important }',
    found: /^something moves/,
  },
  {
    title: 'a control without a focus ring',
    screen: 'home-usual',
    css: 'button:focus-visible { outline: none !important }',
    found: / shows no focus$/,
  },
  {
    title: 'a text upon another',
    screen: 'home-usual',
    html: '<div style="position: relative"><p>One text</p><p style="position: absolute; top: 0; margin: 0">Another</p></div>',
    found: / overlaps /,
  },
]

let previews: Previews
const modeFaults = createModeFaults()

const faultsOf = async (screen: FramedScreen, name: string): Promise<string[]> => [
  ...(await dayFaults(screen)),
  ...(await modeFaults(screen, screens[name]?.page ?? 'popup')),
  ...(await focusFaults(screen)),
]

beforeAll(async () => {
  previews = await sharedPreviews(inject('previews'))
  for (const name of new Set(FAULTS.map(({ screen }) => screen))) {
    const screen = await previews.replace(name)
    expect(await faultsOf(screen, name)).toEqual([])
    screen.release()
  }
})

test.for(FAULTS)('$title is found', async ({ screen: name, css = '', html = '', tabs = '', found }) => {
  const screen = await previews.replace(name)
  await screen.frame.addStyleTag({ content: `${css}\n` })
  await screen.frame.evaluate(
    ({ html, tabs }) => {
      document.querySelector('.win__body')?.insertAdjacentHTML('afterbegin', html)
      if (tabs !== '') for (const tab of document.querySelectorAll('[role="tab"]')) tab.classList.add(tabs)
    },
    { html, tabs },
  )
  expect(await faultsOf(screen, name)).toContainEqual(expect.stringMatching(found))
})

test('no style depends on the theme of the system, except through color-scheme', async () => {
  const { frame } = await previews.replace('home-usual')
  const conditions = await frame.evaluate(() => {
    const conditionsIn = (rules: CSSRuleList): string[] =>
      [...rules].flatMap(rule => [
        ...(rule instanceof CSSMediaRule ? [rule.conditionText] : []),
        ...(rule instanceof CSSGroupingRule ? conditionsIn(rule.cssRules) : []),
      ])
    return [...document.styleSheets].flatMap(({ cssRules }) => conditionsIn(cssRules))
  })
  expect(conditions).toContain('(forced-colors: active)')
  expect(conditions.filter(condition => condition.includes('prefers-color-scheme'))).toEqual([])
})
