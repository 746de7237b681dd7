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

/** How long an element must stay on the screen to have been seen, in ms. */
const SEEN_AFTER = 200

/** Makes an attachment: `report` is called once the whole element has been on the screen for a moment. */
export const seen =
  (report: () => void) =>
  (element: HTMLElement): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = (entries: readonly IntersectionObserverEntry[]) => {
      clearTimeout(timer)
      if (entries.at(-1)?.isIntersecting) timer = setTimeout(report, SEEN_AFTER)
    }
    // Against the viewport, which boxes on the way cut further: in a small window the page scrolls, and no box in it.
    const observer = new IntersectionObserver(look, { threshold: 1 })
    observer.observe(element)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }

/** How often the way to an element is corrected: what is drawn on the way changes its place. */
const MOST_STEPS = 60

/** Scrolls an element onto the screen, also where parts on the way are drawn only now. */
export const scrollTo = (element: Element): void => {
  let steps = 0
  const step = () => {
    if (!element.isConnected || ++steps > MOST_STEPS) return
    element.scrollIntoView({ block: 'end' })
    requestAnimationFrame(step)
  }
  step()
}
