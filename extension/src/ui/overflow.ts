/** A scrolling element that the keyboard reaches, and whether it has more below what it shows. */

/** Pixels that do not count: fractions of a line after rounding. */
const SLACK = 4

/** Makes an attachment: the keys scroll the element; `report` is told at first and after every change of size or position. */
export const scrolls =
  (report: (hasMore: boolean) => void) =>
  (element: HTMLElement): (() => void) => {
    element.tabIndex = 0
    const look = () => report(element.scrollTop + element.clientHeight < element.scrollHeight - SLACK)
    const sizes = new ResizeObserver(look)
    for (const node of [element, ...element.children]) sizes.observe(node)
    const children = new MutationObserver(look)
    children.observe(element, { childList: true, subtree: true })
    element.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      sizes.disconnect()
      children.disconnect()
      element.removeEventListener('scroll', look)
    }
  }
