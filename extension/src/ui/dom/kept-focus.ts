/**
 * Keeps the focus near its position when the focused element is removed or disabled, for keyboards and screen readers.
 */

/** Ancestors that get the focus when the focused element inside them is removed or disabled. */
const PARTS = 'li, tr, ul, table, form, section, [role=tabpanel], nav, main, dialog'

const isUsable = (element: Element): boolean => element.isConnected && !element.matches(':disabled')

const give = (element: HTMLElement): void => {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
}

/** Moves a lost focus to the nearest remaining ancestor, or to the heading if the whole page changed. */
export const keepFocus = (page: Document): void => {
  let held: Element | null = null
  let around: HTMLElement[] = []
  const hold = (element: Element | null) => {
    held = element
    around = []
    for (let at = element?.parentElement; at; at = at.parentElement) if (at.matches(PARTS)) around.push(at)
  }
  const look = () => {
    const { activeElement, body } = page
    if (!held || isUsable(held) || (activeElement !== body && activeElement !== held)) return
    const next = around.find(part => part.isConnected) ?? page.querySelector<HTMLElement>('h1')
    if (next) give(next)
  }
  page.addEventListener('focusin', ({ target }) => hold(target instanceof Element ? target : null))
  // A press elsewhere gives up the focus deliberately, so the element is forgotten. A press on the same element fires
  // no new focus event, so the element is kept.
  page.addEventListener('pointerdown', ({ target }) => {
    if (!(target instanceof Node && held?.contains(target))) hold(null)
  })
  new MutationObserver(look).observe(page, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}
