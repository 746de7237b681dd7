/** The two ways to use a page: by keyboard alone, and by mouse. Both find things by role and accessible name alone. */
import type { ElementHandle, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { isFirefox } from './person.ts'

export type Role = 'button' | 'link' | 'checkbox' | 'switch' | 'tab' | 'option' | 'radio'

/** A page, or a part of it. */
type Place = Page | Locator

type ChosenFile = { name: string; mimeType: string; buffer: Buffer }

export type Hand = {
  /** Presses what has this role and name; the keyboard does it with Enter, and ticks with the space bar. */
  press(place: Place, role: Role, name: string | RegExp): Promise<void>
  /** Presses a button that does what is dangerous: Enter does not, the space bar does. */
  dare(place: Place, name: string): Promise<void>
  /** Puts a text into a field, in place of what is there. */
  write(place: Place, label: string, text: string): Promise<void>
  /** Chooses from a field with a list of options. */
  choose(place: Place, label: string, option: string): Promise<void>
  /** Opens the system's file picker at a field, and chooses a file in it. */
  chooseFile(page: Page, label: string, file: ChosenFile): Promise<void>
  /** Rejects what is asked. */
  reject(page: Page): Promise<void>
  /** Goes back to where the screen was opened. */
  back(page: Page): Promise<void>
  /** Closes the sheet or dialog that is open. */
  close(page: Page): Promise<void>
}

/** More than the controls of any page, so that Tab has been everywhere. */
const MOST_TABS = 80

const find = (place: Place, role: Role, name: string | RegExp): Locator => place.getByRole(role, { name, exact: true })
const field = (place: Place, label: string): Locator => place.getByLabel(label, { exact: true })

/** Whether the target has the focus; else what has it instead, and the key that leads from there to the target. */
const focusFrom = (target: Locator): Promise<true | { focused: string; key: 'Tab' | 'Shift+Tab' }> =>
  target.evaluate(element => {
    const active = element.ownerDocument.activeElement
    if (active === element) return true
    if (!active) return { focused: 'nothing', key: 'Tab' }
    const isBefore = (active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
    const name = (active.getAttribute('aria-label') ?? active.textContent ?? '').trim().slice(0, 40)
    return { focused: `${active.tagName} "${name}"`, key: isBefore ? 'Shift+Tab' : 'Tab' }
  })

/**
 * Presses Tab, or Shift+Tab where the target is above, until the target has the focus. Tab on the last control of a page leads
 * to the toolbar of Firefox, where the driver's keys do not go.
 */
const reach = async (target: Locator): Promise<void> => {
  await target.and(target.page().locator(':enabled, a')).waitFor()
  const passed = new Set<string>()
  for (let tabs = 0; tabs <= MOST_TABS; tabs++) {
    const focus = await focusFrom(target)
    if (focus === true) return
    passed.add(focus.focused)
    await target.page().keyboard.press(focus.key)
  }
  throw new Error(`Tab does not lead to ${target}, but to ${[...passed].join(', ')}`)
}

/** Waits until the wallet takes a press of it: a button that decides wants a second in which nothing is pressed. */
const ready = (target: Locator): Promise<void> =>
  expect.poll(() => target.isEnabled(), { interval: 50, timeout: 15_000 }).toBe(true)

/** In a group that is one stop of Tab: goes there, and on with an arrow key. */
const reachAmong = async (target: Locator, group: Locator, key: string): Promise<void> => {
  const page = target.page()
  await target.waitFor()
  await reach(group.and(page.locator('[tabindex="0"], input:checked')))
  for (let steps = await group.count(); steps > 0; steps--) {
    if ((await focusFrom(target)) === true) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not lead to ${target}`)
}

/** What is chosen from a list of options, and how far below it the wanted one stands. */
const chosenIn = (list: ElementHandle, option: string): Promise<number> =>
  list.evaluate((element, wanted) => {
    const { options, selectedIndex } = element as HTMLSelectElement
    const at = [...options].findIndex(({ label }) => label === wanted)
    if (at < 0) throw new Error(`Not ${wanted}, but ${[...options].map(({ label }) => label).join(', ')}`)
    return at - selectedIndex
  }, option)

/** Resolves when a file input gets a click of a person, which is what opens the file picker. */
const clicked = (input: Locator): Promise<void> =>
  input.evaluate(
    element =>
      new Promise<void>(resolve => {
        element.addEventListener('click', ({ isTrusted }) => isTrusted && resolve())
      }),
  )

/**
 * Opens the file picker and chooses a file in it. Firefox does not report the file picker of an extension's page to the
 * driver, so there the click on the field stands for it.
 */
const chooseFileBy = async (open: () => Promise<void>, page: Page, label: string, file: ChosenFile): Promise<void> => {
  const input = field(page, label)
  await Promise.all([isFirefox ? clicked(input) : page.waitForEvent('filechooser'), open()])
  await input.setInputFiles(file)
}

const SPACED: ReadonlySet<Role> = new Set(['checkbox', 'switch'])
const KEYS: Partial<Record<Role, string>> = { tab: 'ArrowRight', option: 'ArrowDown', radio: 'ArrowDown' }
/** Chosen by the arrow key that leads there. */
const FOLLOWING: ReadonlySet<Role> = new Set(['tab', 'radio'])

export const keyboard: Hand = {
  press: async (place, role, name) => {
    const target = find(place, role, name)
    const arrow = KEYS[role]
    if (arrow) await reachAmong(target, place.getByRole(role), arrow)
    else await reach(target)
    await ready(target)
    if (!FOLLOWING.has(role)) await target.page().keyboard.press(SPACED.has(role) ? 'Space' : 'Enter')
  },
  dare: async (place, name) => {
    const target = find(place, 'button', name)
    await reach(target)
    await target.page().keyboard.press('Enter')
    await ready(target)
    await target.page().keyboard.press('Space')
  },
  write: async (place, label, text) => {
    const target = field(place, label)
    await reach(target)
    await target.page().keyboard.press('ControlOrMeta+A')
    await target.page().keyboard.insertText(text)
  },
  choose: async (place, label, option) => {
    const target = field(place, label)
    await reach(target)
    // The field's name may say what is chosen: from here on it is the one that has the focus.
    const list = await target.elementHandle()
    if (!list) throw new Error(`${target} has gone`)
    for (let below = await chosenIn(list, option); below !== 0; below = await chosenIn(list, option))
      await target.page().keyboard.press(below > 0 ? 'ArrowDown' : 'ArrowUp')
  },
  chooseFile: (page, label, file) => chooseFileBy(() => keyboard.press(page, 'button', label), page, label, file),
  reject: page => page.keyboard.press('Escape'),
  back: page => page.keyboard.press('Escape'),
  close: page => page.keyboard.press('Escape'),
}

export const mouse: Hand = {
  press: (place, role, name) => find(place, role, name).click(),
  dare: (place, name) => find(place, 'button', name).click(),
  write: (place, label, text) => field(place, label).fill(text),
  choose: async (place, label, option) => {
    await field(place, label).selectOption({ label: option })
  },
  chooseFile: (page, label, file) =>
    chooseFileBy(() => page.getByText(label, { exact: true }).click(), page, label, file),
  reject: page => find(page, 'button', 'Reject').click(),
  back: page => find(page, 'button', 'Back').click(),
  close: page => find(page, 'button', 'Close').click(),
}

export const HANDS = [
  ['keyboard', keyboard],
  ['mouse', mouse],
] as const satisfies readonly (readonly [string, Hand])[]

/** That something on the page has the focus, after what had it is gone. */
export const expectFocus = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')

/** Milliseconds that a press may take which is made again, and any other. */
const MOMENT = 1_000
const PATIENCE = 30_000

/** Presses until it is so: a press that a worker missed as it was stopped is made again. */
export const pressUntil = async (page: Page, act: () => Promise<void>, isSo: () => Promise<boolean>): Promise<void> => {
  const attempt = async () => {
    if (await isSo()) return true
    await act()
    return isSo()
  }
  page.setDefaultTimeout(MOMENT)
  try {
    await expect.poll(attempt, { interval: 300 }).toBe(true)
  } finally {
    page.setDefaultTimeout(PATIENCE)
  }
}
