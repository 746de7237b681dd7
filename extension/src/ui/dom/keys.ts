/** Keyboard handling shared by several screens. */

/** True once per press of Esc. False if a dialog has handled it, or if an IME is composing. */
const isEscape = (event: KeyboardEvent): boolean =>
  event.key === 'Escape' && !event.repeat && !event.isComposing && !event.defaultPrevented

/** Handles Esc. Ignores it if a sheet is open (Esc closes that). */
export const onEscape =
  (act: () => void) =>
  (event: KeyboardEvent): void => {
    if (isEscape(event) && !document.querySelector('dialog[open]')) act()
  }

/** Attachment: focuses the element when it appears, or when the dialog around it opens. */
export const focusOnce = (element: HTMLElement): void => {
  element.autofocus = true
  element.focus({ preventScroll: true })
}

/** Attachment: focuses the row that the user comes back to, and scrolls to it, unless the focus is elsewhere already. */
export const returnTo = (row: HTMLElement): void => {
  if (document.activeElement?.matches('body, h1')) row.focus()
}

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/**
 * Attachment for a dialog: opens it as a modal, and calls `close` on Esc. `close` is called at once and not on the
 * element's `close` event, which comes later, perhaps after the user has opened the dialog again. When the dialog is
 * removed, the focus returns to the opener, unless it has already moved.
 */
export const openModal =
  (close: () => void) =>
  (dialog: HTMLDialogElement): (() => void) => {
    dialog.addEventListener('keydown', event => {
      if (!isEscape(event)) return
      event.preventDefault()
      close()
    })
    dialog.addEventListener('close', close)
    const opener = document.activeElement
    dialog.showModal()
    return () => {
      dialog.removeEventListener('close', close)
      const now = document.activeElement
      if (opener instanceof HTMLElement && (now === document.body || dialog.contains(now))) opener.focus()
    }
  }

/** Attachment for a listbox: arrow keys, Home and End move the focus between its options. */
export const arrowKeys = (list: HTMLElement): (() => void) => {
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const options = [...list.querySelectorAll<HTMLElement>('[role=option]')]
    if (!step || event.altKey || options.length === 0) return
    event.preventDefault()
    const at = options.findIndex(option => option.contains(document.activeElement))
    options[step(at, options.length)]?.focus()
  }
  list.addEventListener('keydown', move)
  return () => list.removeEventListener('keydown', move)
}

/** Attachment for a tablist: arrow keys, Home and End select and focus a tab. */
export const tabKeys = (list: HTMLElement): (() => void) => {
  const move = (event: KeyboardEvent) => {
    const isRtl = getComputedStyle(list).direction === 'rtl'
    const forth = isRtl ? 'ArrowLeft' : 'ArrowRight'
    const back = isRtl ? 'ArrowRight' : 'ArrowLeft'
    const step = STEPS[{ [forth]: 'ArrowDown', [back]: 'ArrowUp', Home: 'Home', End: 'End' }[event.key] ?? '']
    const tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]')]
    if (!step || tabs.length === 0) return
    event.preventDefault()
    const next = tabs[step(tabs.indexOf(document.activeElement as HTMLElement), tabs.length)]
    next?.click()
    next?.focus()
  }
  list.addEventListener('keydown', move)
  return () => list.removeEventListener('keydown', move)
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

/** Handles single-key shortcuts, except in a text field, with an open dialog, or with a modifier key. */
export const sectionKeys =
  (acts: Readonly<Record<string, () => void>>) =>
  (event: KeyboardEvent): void => {
    const act = acts[event.key]
    if (!act || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    act()
  }

/** Attachment for a search field: `/` focuses it from anywhere on the page, or in its dialog. */
export const slashKey = (input: HTMLElement): (() => void) => {
  const go = (event: KeyboardEvent) => {
    const dialog = document.querySelector('dialog[open]')
    if (dialog && !dialog.contains(input)) return
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    event.preventDefault()
    input.focus()
  }
  window.addEventListener('keydown', go)
  return () => window.removeEventListener('keydown', go)
}
