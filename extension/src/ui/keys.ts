/** Keyboard behaviour that several screens share. */

/** Acts on Esc, once a press; an open sheet takes it for itself. */
export const onEscape =
  (act: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.repeat && !document.querySelector('dialog[open]')) act()
  }

/** Attachment: gives the element the focus when it appears. */
export const focusOnce = (element: HTMLElement): void => element.focus({ preventScroll: true })

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Attachment for a listbox: arrow keys, Home and End move the focus among its options. */
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
