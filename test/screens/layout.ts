/**
 * Finds layout faults in a page, independent of its content. Each fault is a description. These functions run in the
 * page, so they use nothing outside of themselves: see page-checks.ts.
 */

/**
 * Returns texts that are cut without an ellipsis or overlap other text, and elements that are narrower than their
 * content.
 */
export const layoutFaults = (): string[] => {
  /** Elements that may scroll sideways, because their content is not running text. */
  const scrolls = '.code, .table__box'
  /** Elements that cover others on purpose. */
  const floats = '.toast--float, .win__more, .suggest'
  type Line = { rect: DOMRect; element: Element; text: string }
  const nameOf = (element: Element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`
  const top = document.querySelector('dialog[open]') ?? document.body
  const isHidden = (element: Element) =>
    element.closest('.sr, [hidden]') !== null || !element.checkVisibility({ visibilityProperty: true })

  const wide = [document.documentElement, ...document.querySelectorAll('*')]
    .filter(box => box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0)
    .filter(box => box === document.documentElement || getComputedStyle(box).overflowX !== 'visible')
    .filter(box => !box.matches(`${scrolls}, input, select, textarea, .sr`))
    .filter(box => getComputedStyle(box).textOverflow !== 'ellipsis')
    .map(box => `${nameOf(box)} is ${box.clientWidth} wide and its content ${box.scrollWidth}`)

  const boxes = new Map<Element, ReturnType<typeof read>>()
  const read = (box: Element) => {
    const { overflowX, overflowY, textOverflow, position } = getComputedStyle(box)
    const mayCut = textOverflow === 'ellipsis' || box.matches(scrolls)
    return { overflowX, overflowY, position, mayCut, edge: box.getBoundingClientRect() }
  }
  /** Reads a box once, because many lines have the same ancestors. */
  const boxOf = (box: Element) => {
    const known = boxes.get(box) ?? read(box)
    boxes.set(box, known)
    return known
  }

  /** Returns the visible part of a line, and whether it is cut sideways without an ellipsis. */
  const clip = ({ rect, element }: Line) => {
    let { left, right, top: upper, bottom } = rect
    let isCut = false
    let mayBe = false
    for (let box: Element | null = element; box; box = box.parentElement) {
      const { overflowX, overflowY, position, mayCut, edge } = boxOf(box)
      if (mayCut) mayBe = true
      if (overflowX !== 'visible' && box !== document.body && box !== document.documentElement) {
        if (!mayBe && (left < edge.left - 1 || right > edge.right + 1)) isCut = true
        left = Math.max(left, edge.left)
        right = Math.min(right, edge.right)
      }
      if (overflowY !== 'visible') {
        upper = Math.max(upper, edge.top)
        bottom = Math.min(bottom, edge.bottom)
      }
      if (position === 'fixed') break
    }
    if (!mayBe && (left < -1 || right > document.documentElement.clientWidth + 1)) isCut = true
    return { left, right, top: upper, bottom, isCut }
  }

  const lines: Line[] = []
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.textContent?.trim() ?? ''
    if (!element || text === '' || isHidden(element)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const rect of range.getClientRects()) if (rect.width > 1) lines.push({ rect, element, text })
  }
  const seen = lines.map(line => ({ ...line, ...clip(line) }))
  const cut = seen.filter(({ isCut }) => isCut).map(({ text }) => `"${text.slice(0, 60)}" is cut`)

  const firm = seen
    .filter(({ element }) => !element.closest(`${floats}, [aria-hidden="true"]`))
    .sort((a, b) => a.top - b.top)
  const upon = firm.flatMap((one, at) => {
    const found: string[] = []
    for (const other of firm.slice(at + 1)) {
      if (other.top > one.bottom - 5) break
      if (other.element === one.element) continue
      const deep = Math.min(one.bottom, other.bottom) - other.top
      const broad = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      if (deep > 5 && broad > 3) found.push(`"${one.text.slice(0, 40)}" overlaps "${other.text.slice(0, 40)}"`)
    }
    return found
  })
  return [...new Set([...wide, ...cut, ...upon])]
}

/**
 * Returns controls without a visible focus ring: less than 2 px wide, or clipped by an ancestor. Press a key first:
 * afterwards, focused elements match :focus-visible, as for keyboard users.
 */
export const focusFaults = (): string[] => {
  const top = document.querySelector('dialog[open]') ?? document.body
  const controls = top.querySelectorAll<HTMLElement>(
    'button, a[href], input, select, textarea, summary, [tabindex="0"]',
  )
  /** Returns the element that draws the focus ring: the control, an ancestor or a sibling. */
  const ringOf = (control: HTMLElement) =>
    [control, control.parentElement, control.previousElementSibling].find(element => {
      if (!element) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    })
  /** Returns how much of the focus ring a clipping ancestor hides, in px. */
  const lost = (ring: Element) => {
    const { outlineOffset, outlineWidth } = getComputedStyle(ring)
    const reach = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth)
    const { left, right, top: upper, bottom } = ring.getBoundingClientRect()
    let most = Math.max(reach - left, right + reach - document.documentElement.clientWidth)
    for (let box = ring.parentElement; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box)
      const edge = box.getBoundingClientRect()
      if (overflowX !== 'visible') most = Math.max(most, edge.left - left + reach, right + reach - edge.right)
      if (overflowY !== 'visible') most = Math.max(most, edge.top - upper + reach, bottom + reach - edge.bottom)
      if (getComputedStyle(box).position === 'fixed') break
    }
    return most
  }
  const faults: string[] = []
  for (const control of controls) {
    if (control.matches(':disabled') || !control.checkVisibility({ visibilityProperty: true })) continue
    control.focus()
    if (document.activeElement !== control) continue
    control.scrollIntoView({ block: 'nearest' })
    const name = (control.getAttribute('aria-label') ?? control.textContent ?? '').trim().slice(0, 40) || control.id
    const ring = ringOf(control)
    if (!ring) faults.push(`${control.tagName} "${name}" shows no focus`)
    else if (lost(ring) > 1.5) faults.push(`the focus ring of ${control.tagName} "${name}" is cut by ${lost(ring)} px`)
  }
  return faults
}

/**
 * Returns, for each selected element of tabs, lists and navigations, the classes and attributes that decide how it and
 * the unselected ones look.
 */
export const readChosen = (): string[] => {
  const CHOSEN = '[aria-selected="true"], [aria-current]:not([aria-current="false"]), .is-selected'
  const nameOf = ({ localName, attributes }: Element) =>
    [
      localName,
      ...[...attributes]
        .filter(({ name }) => /^(?:class|style|aria-[cds]\w+|disabled)$/.test(name))
        .map(({ name, value }) => `${name}=${value}`),
    ].join(' ')
  return [...document.querySelectorAll(CHOSEN)].map(chosen => {
    const group = chosen.closest('[role="tablist"], [role="listbox"], nav, ul, ol')
    const others = [...(group?.querySelectorAll(chosen.tagName) ?? [])].filter(other => !other.matches(CHOSEN))
    const around: string[] = []
    for (let box = chosen.parentElement; box; box = box.parentElement) around.push(nameOf(box))
    return [nameOf(chosen), ...new Set(others.map(nameOf)), ...around].join(' < ')
  })
}

/** Returns selected elements of tabs, lists and navigations that look the same as unselected ones. */
export const chosenFaults = (): string[] => {
  const CHOSEN = '[aria-selected="true"], [aria-current]:not([aria-current="false"]), .is-selected'
  const lookOf = (element: Element) =>
    [getComputedStyle(element), getComputedStyle(element, '::after')]
      .map(({ backgroundColor, borderColor, content, fontWeight }) =>
        [backgroundColor, borderColor, content, fontWeight].join(' '),
      )
      .join()
  return [...document.querySelectorAll(CHOSEN)].flatMap(chosen => {
    const group = chosen.closest('[role="tablist"], [role="listbox"], nav, ul, ol')
    const others = [...(group?.querySelectorAll(chosen.tagName) ?? [])].filter(other => !other.matches(CHOSEN))
    const isAlike = others.some(other => lookOf(other) === lookOf(chosen))
    return isAlike ? [`"${chosen.textContent?.trim().slice(0, 40)}" does not look selected`] : []
  })
}

/** Returns addresses, bytes and amounts that are not rendered left to right. */
export const turnedFaults = (): string[] => {
  const FIRM = /^(?:0x[\da-f…]{4,}|[\u2212<]?\d[\d.,]*\u00a0\S+|\u2212[\d.,]+)$/i
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const faults: string[] = []
  const edge = (node: Node, at: number) => {
    const range = document.createRange()
    range.setStart(node, at)
    range.setEnd(node, at + 1)
    return range.getBoundingClientRect()
  }
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent ?? ''
    if (!FIRM.test(text) || !node.parentElement?.checkVisibility()) continue
    const first = edge(node, 0)
    const last = edge(node, text.length - 1)
    if (first.top === last.top && first.left > last.left) faults.push(`"${text}" runs from right to left`)
  }
  return faults
}
