/** Keyboard handling shared by several screens. */

/** Handles Esc, once per press. Ignores it if a sheet is open (Esc closes that) or an IME is composing. */
export const onEscape =
  (act: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.repeat || event.isComposing) return
    if (!document.querySelector('dialog[open]')) act()
  }

/** Attachment: focuses the element when it appears, or when the dialog around it opens. */
export const focusOnce = (element: HTMLElement): void => {
  element.autofocus = true
  element.focus({ preventScroll: true })
}

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Attachment for a dialog: opens it as a modal. On close, returns the focus to the opener unless it has moved already. */
export const openModal = (dialog: HTMLDialogElement): (() => void) => {
  const opener = document.activeElement
  dialog.showModal()
  return () => {
    const now = document.activeElement
    if (opener instanceof HTMLElement && (now === document.body || dialog.contains(now))) opener.focus()
  }
}

/** Attachment for a listbox: arrow keys, Home and End move the focus between its options. */
export const arrowKeys = (list: HTMLElement): (() => void) => {
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const options = [...list.querySelectorAll<HTMLElement>('[role=option]')]
    if (!step || options.length === 0) return
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
