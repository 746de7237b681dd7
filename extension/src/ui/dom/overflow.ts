/** Makes elements scrollable by keyboard, and detects content below the visible part. */

/** Tolerance for rounded line heights, in px. */
const SLACK = 4

/** Attachment: lets keys scroll the element. Calls `report` at once, and after every change of size or scroll position. */
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

/** Time an element must stay on the screen to count as seen, in ms. */
const SEEN_AFTER = 200

/** Attachment: calls `report` once the whole element has been on the screen for SEEN_AFTER. */
export const seen =
  (report: () => void) =>
  (element: HTMLElement): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = (entries: readonly IntersectionObserverEntry[]) => {
      clearTimeout(timer)
      if (entries.at(-1)?.isIntersecting) timer = setTimeout(report, SEEN_AFTER)
    }
    // The root is the viewport, because in a small window only the page itself scrolls. Scrolling ancestors clip too.
    const observer = new IntersectionObserver(look, { threshold: 1 })
    observer.observe(element)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }

/** Maximum number of scroll corrections: lazily rendered parts above the element move it. */
const MOST_STEPS = 60

/**
 * Scrolls an element into view, and repeats this in the next frames. Parts above the element that are rendered only
 * near the viewport change their height meanwhile, and move the element.
 */
export const scrollTo = (element: Element): void => {
  let steps = 0
  const step = () => {
    if (!element.isConnected || ++steps > MOST_STEPS) return
    element.scrollIntoView({ block: 'end' })
    requestAnimationFrame(step)
  }
  step()
}
