/** Input devices: keyboard and mouse. Both find elements by role and accessible name. */
import type { ElementHandle, Locator, Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { isFirefox } from './person.ts'

export type Role = 'button' | 'link' | 'checkbox' | 'switch' | 'tab' | 'option' | 'radio'

/** A page or an element in it. */
type Place = Page | Locator

type ChosenFile = { name: string; mimeType: string; buffer: Buffer }

export type InputDevice = {
  /** Activates an element. The keyboard uses Enter, and Space for checkboxes and switches. */
  press(place: Place, role: Role, name: string | RegExp): Promise<void>
  /** Activates the button of a dangerous action, which reacts to Space but not to Enter. */
  dare(place: Place, name: string): Promise<void>
  /** Replaces the text of a field. */
  write(place: Place, label: string, text: string): Promise<void>
  /** Chooses an option of a select field. */
  choose(place: Place, label: string, option: string): Promise<void>
  /** Opens the file picker of a field and chooses a file. */
  chooseFile(page: Page, label: string, file: ChosenFile): Promise<void>
  /** Rejects the shown request. */
  reject(page: Page): Promise<void>
  /** Returns to the previous screen. */
  back(page: Page): Promise<void>
  /** Closes the open sheet or dialog. */
  close(page: Page): Promise<void>
}

/** Limit of Tab presses: more than any page has controls. */
const MOST_TABS = 80

const find = (place: Place, role: Role, name: string | RegExp): Locator => place.getByRole(role, { name, exact: true })
const field = (place: Place, label: string): Locator => place.getByLabel(label, { exact: true })

/**
 * Returns true if the target has focus. Otherwise returns the focused element and the key that leads from it to the
 * target.
 */
const focusFrom = (target: Locator): Promise<true | { focused: string; key: 'Tab' | 'Shift+Tab' }> =>
  target.evaluate(element => {
    const active = element.ownerDocument.activeElement
    if (active === element) return true
    if (!active) return { focused: 'nothing', key: 'Tab' }
    const isBefore = (active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
    const name = (active.getAttribute('aria-label') ?? active.textContent ?? '').trim().slice(0, 40)
    return { focused: `${active.tagName} "${name}"`, key: isBefore ? 'Shift+Tab' : 'Tab' }
  })

/** Returns how often Tab must be pressed to get from the focused element to a later target; 0 for an earlier one. */
const tabsTo = (target: Locator): Promise<number> =>
  target.evaluate(element => {
    const stops = [
      ...element.ownerDocument.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]'),
    ]
    const open = stops.filter(one => one.tabIndex >= 0 && one.checkVisibility() && !one.matches(':disabled'))
    // The focused element can be a section or a list, which is no stop itself.
    const { activeElement } = element.ownerDocument
    const isLater = (one: HTMLElement) =>
      ((activeElement?.compareDocumentPosition(one) ?? 0) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    return open.filter(isLater).indexOf(element as HTMLElement) + 1
  })

/**
 * Presses Tab, or Shift+Tab if the target comes earlier, until the target has focus. Tab on a page's last control would
 * move focus to Firefox's toolbar, which does not get the driver's keys. The page is asked once for the distance, and
 * from then on only whether the target has focus.
 */
const reach = async (target: Locator): Promise<void> => {
  await target.and(target.page().locator(':enabled, a')).waitFor()
  for (let left = await tabsTo(target); left > 0; left--) await target.page().keyboard.press('Tab')
  const passed = new Set<string>()
  for (let tabs = 0; tabs <= MOST_TABS; tabs++) {
    const focus = await focusFrom(target)
    if (focus === true) return
    passed.add(focus.focused)
    await target.page().keyboard.press(focus.key)
  }
  throw new Error(`Tab did not reach ${target}, only ${[...passed].join(', ')}`)
}

/** Waits until the button is enabled. A button that decides a request is enabled after a second without presses. */
const ready = (target: Locator): Promise<void> => expect.poll(() => target.isEnabled(), { interval: 50 }).toBe(true)

/** Focuses the target in a group with a single tab stop. Moves within the group with an arrow key. */
const reachAmong = async (target: Locator, group: Locator, key: string): Promise<void> => {
  const page = target.page()
  await target.waitFor()
  await reach(group.and(page.locator('[tabindex="0"], input:checked')))
  for (let steps = await group.count(); steps > 0; steps--) {
    if ((await focusFrom(target)) === true) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} did not reach ${target}`)
}

/** Returns the distance from a select element's selected option down to the wanted option. */
const chosenIn = (list: ElementHandle, option: string): Promise<number> =>
  list.evaluate((element, wanted) => {
    const { options, selectedIndex } = element as HTMLSelectElement
    const at = [...options].findIndex(({ label }) => label === wanted)
    if (at < 0)
      throw new Error(`there is no option ${wanted}, but ${[...options].map(({ label }) => label).join(', ')}`)
    return at - selectedIndex
  }, option)

/** Resolves when a file input receives a trusted click, which opens the file picker. */
const clicked = (input: Locator): Promise<void> =>
  input.evaluate(
    element =>
      new Promise<void>(resolve => {
        element.addEventListener('click', ({ isTrusted }) => isTrusted && resolve())
      }),
  )

/**
 * Opens the file picker and chooses a file. Firefox does not report the file picker of an extension page to the driver,
 * so in Firefox this waits for the click on the field.
 */
const chooseFileBy = async (open: () => Promise<void>, page: Page, label: string, file: ChosenFile): Promise<void> => {
  const input = field(page, label)
  await Promise.all([isFirefox ? clicked(input) : page.waitForEvent('filechooser'), open()])
  await input.setInputFiles(file)
}

const SPACED: ReadonlySet<Role> = new Set(['checkbox', 'switch'])
const KEYS: Partial<Record<Role, string>> = { tab: 'ArrowRight', option: 'ArrowDown', radio: 'ArrowDown' }
/** Roles whose elements an arrow key selects at once, without a further key. */
const FOLLOWING: ReadonlySet<Role> = new Set(['tab', 'radio'])

export const keyboard: InputDevice = {
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
    // The element is resolved once: its label can contain the chosen option, so the locator may not find it later.
    const list = await target.elementHandle()
    if (!list) throw new Error(`${target} no longer exists`)
    for (let below = await chosenIn(list, option); below !== 0; below = await chosenIn(list, option))
      await target.page().keyboard.press(below > 0 ? 'ArrowDown' : 'ArrowUp')
  },
  chooseFile: (page, label, file) => chooseFileBy(() => keyboard.press(page, 'button', label), page, label, file),
  reject: page => page.keyboard.press('Escape'),
  back: page => page.keyboard.press('Escape'),
  close: page => page.keyboard.press('Escape'),
}

export const mouse: InputDevice = {
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

type NamedDevice = readonly ['keyboard' | 'mouse', InputDevice]

/** Both input devices, for the flows that are tried with each in both browsers. */
export const EVERY_DEVICE: readonly NamedDevice[] = [
  ['keyboard', keyboard],
  ['mouse', mouse],
]

/** The input device of the flow tests: the keyboard in Chromium, the mouse in Firefox. */
export const INPUT_DEVICES: readonly NamedDevice[] = EVERY_DEVICE.filter(
  ([name]) => name === (isFirefox ? 'mouse' : 'keyboard'),
)

/** The keyboard in Chromium and none in Firefox, for flows that prove nothing new there, in files that run in both. */
export const CHROMIUM_DEVICES: readonly NamedDevice[] = isFirefox ? [] : INPUT_DEVICES

const pageOf = (place: Place): Page => ('page' in place ? place.page() : place)

export type Acts = { presses: number; fields: number; keys: number }

/** Counts pressed controls, filled fields, and keys: the typed characters and the keys that lead to a control. */
export const counted = (device: InputDevice) => {
  const acts: Acts = { presses: 0, fields: 0, keys: 0 }
  const withKeys = async (place: Place, act: () => Promise<void>): Promise<void> => {
    const pressed = vi.spyOn(pageOf(place).keyboard, 'press')
    try {
      await act()
    } finally {
      acts.keys += pressed.mock.calls.length
      pressed.mockRestore()
    }
  }
  const counting: InputDevice = {
    ...device,
    press: (place, ...what) => {
      acts.presses++
      return withKeys(place, () => device.press(place, ...what))
    },
    write: (place, label, text) => {
      acts.fields++
      acts.keys += text.length
      return withKeys(place, () => device.write(place, label, text))
    },
  }
  return { acts, device: counting }
}

/** Asserts that some element has focus after the focused element was removed. */
export const expectFocus = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
