/**
 * Tells apart the looks of texts. Texts of the same look have the same contrast, so axe judges one text of each look.
 */

/**
 * Returns the looks of a page's texts, each with one text that has it. A look is everything computed that decides a
 * text's contrast. Runs in the page, so it uses nothing outside of itself: see page-checks.ts.
 */
export const readLooks = (): Map<string, Element> => {
  const top = document.querySelector('dialog[open]') ?? document.body
  const paints = new Map<Element, string>()
  /** Returns what an element draws below its text, or changes in all that it contains. */
  const paintOf = (element: Element): string => {
    const known = paints.get(element)
    if (known !== undefined) return known
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, textShadow } = getComputedStyle(element)
    const paint = [
      backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : backgroundColor,
      backgroundImage === 'none' ? '' : 'image',
      opacity === '1' ? '' : opacity,
      filter === 'none' ? '' : filter,
      mixBlendMode === 'normal' ? '' : mixBlendMode,
      textShadow === 'none' ? '' : textShadow,
    ].join('')
    paints.set(element, paint)
    return paint
  }
  const elements = [...top.querySelectorAll('*')].filter(element =>
    element.checkVisibility({ visibilityProperty: true }),
  )
  const painted = elements
    .filter(element => paintOf(element) !== '')
    .map(element => ({ element, edge: element.getBoundingClientRect() }))

  /** Returns the part of an element's box that its scrolling ancestors show. */
  const shownPart = (element: Element) => {
    let { left, right, top: upper, bottom } = element.getBoundingClientRect()
    for (let box = element.parentElement; box; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box)
      if (overflowX === 'visible' && overflowY === 'visible') continue
      const edge = box.getBoundingClientRect()
      left = Math.max(left, edge.left)
      right = Math.min(right, edge.right)
      upper = Math.max(upper, edge.top)
      bottom = Math.min(bottom, edge.bottom)
    }
    return { left, right, upper, bottom }
  }
  /** Returns what decides the contrast that a text needs, and what it has apart from its background. */
  const inkOf = (element: Element): string => {
    const { color, webkitTextFillColor, fontSize, fontWeight } = getComputedStyle(element)
    const size = Number.parseFloat(fontSize)
    const isLarge = size >= 24 || (size >= 18 && Number(fontWeight) >= 700)
    return [color, webkitTextFillColor === color ? '' : webkitTextFillColor, isLarge ? 'large' : ''].join('')
  }
  /** Returns what sets a link apart from the text around it. */
  const linkOf = (element: Element): string => {
    const link = element.closest('a[href]')
    if (!link?.parentElement) return ''
    const [own, around] = [getComputedStyle(link), getComputedStyle(link.parentElement)]
    const { display, textDecorationLine, borderBottomStyle, fontWeight } = own
    return [
      display,
      own.color,
      around.color,
      textDecorationLine,
      borderBottomStyle,
      fontWeight,
      around.fontWeight,
    ].join(' ')
  }
  /** Returns the layers below a text, down to the first that hides all others. */
  const layersOf = (element: Element): string => {
    const layers: string[] = []
    for (let box: Element | null = element; box; box = box.parentElement) layers.push(paintOf(box))
    const isOpaque = (layer: string) => /^rgb\([^)]*\)$/.test(layer)
    const isFlat = (layer: string) => layer === '' || isOpaque(layer)
    const end = layers.findIndex((layer, at) => isOpaque(layer) && layers.slice(at).every(isFlat))
    return layers
      .slice(0, end < 0 ? undefined : end + 1)
      .filter(layer => layer !== '')
      .join('<')
  }
  const lookOf = (element: Element): string => {
    const { left, right, upper, bottom } = shownPart(element)
    const over = painted.filter(
      ({ element: other, edge }) =>
        edge.left < right && edge.right > left && edge.top < bottom && edge.bottom > upper && !other.contains(element),
    )
    const isShort = (element.textContent ?? '').trim().length === 1
    const others = new Set(over.map(({ element: other }) => paintOf(other)))
    return [inkOf(element), linkOf(element), isShort ? 'short' : '', layersOf(element), [...others].join('+')].join('|')
  }
  /** Elements that axe does not judge. */
  const UNJUDGED = ':disabled, [aria-disabled="true"], [aria-hidden="true"]'
  const hasText = (element: Element): boolean =>
    element.matches('input, textarea, select') ||
    [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim() !== '')

  const looks = new Map<string, Element>()
  for (const element of elements.filter(element => hasText(element) && !element.closest(UNJUDGED))) {
    const look = lookOf(element)
    if (!looks.has(look)) looks.set(look, element.closest('a[href]') ?? element)
  }
  return looks
}
