/** What has the focus may go away or be switched off: the keyboard, and whoever listens to the page, go on from there. */

/** Parts of a page that stand for what was inside them. */
const PARTS = 'li, tr, ul, table, form, section, nav, main, dialog'

const isUsable = (element: Element): boolean => element.isConnected && !element.matches(':disabled')

const give = (element: HTMLElement): void => {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
}

/** Gives the focus, when what has it is lost, to the nearest part of the page around it; to the headline where all is new. */
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
  // Who presses elsewhere leaves it; who presses it again brings no new event of the focus.
  page.addEventListener('pointerdown', ({ target }) => {
    if (!(target instanceof Node && held?.contains(target))) hold(null)
  })
  new MutationObserver(look).observe(page, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}
