/**
 * The search of the documentation, in the index of search-index.js. It works without a server. This script shows the
 * search field. Results are made with textContent, so nothing in the index is parsed as HTML.
 */

/**
 * @typedef {{ pages: [path: string, title: string][], sections: [page: number, anchor: string, heading: string, texts:
 * string[]][] }} SearchIndex
 * @typedef {{ href: string, title: string, text: string, score: number }} Result
 */

;(() => {
  const MAX_RESULTS = 20
  const MAX_QUERY_LENGTH = 100
  const SNIPPET_LENGTH = 140
  /** Characters of a snippet before its first match. */
  const SNIPPET_LEAD = 40
  /** Score of a word that occurs in a title, a heading or a text. Only the best of these scores counts. */
  const SCORES = { title: 100, heading: 30, text: 1 }
  /** Factors for a match at the start of a word, and for a match of a whole word. */
  const STARTS = 2
  const WHOLE = 3

  const script = /** @type {HTMLScriptElement} */ (document.currentScript)
  const root = new URL('.', script.src)
  /** @type {SearchIndex} */
  const index = Reflect.get(globalThis, 'searchIndex')

  const sections = index.sections.map(([page, anchor, heading, texts]) => {
    const [path, title] = index.pages[page] ?? ['', '']
    return { path, title, anchor, heading, texts, lower: [title, heading, ...texts].map(text => text.toLowerCase()) }
  })

  /** @param {string} query */
  const wordsOf = query => query.slice(0, MAX_QUERY_LENGTH).toLowerCase().split(/\s+/).filter(Boolean)

  const isLetter = (/** @type {string | undefined} */ character) =>
    character !== undefined && /[\p{L}\p{N}]/u.test(character)

  /**
   * Returns how well a word matches a text in lower case: 0 if it does not occur.
   * @param {string} text
   * @param {string} word
   */
  const fitOf = (text, word) => {
    let best = 0
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
      const starts = !isLetter(text[at - 1])
      const ends = !isLetter(text[at + word.length])
      best = Math.max(best, starts ? (ends ? WHOLE : STARTS) : 1)
    }
    return best
  }

  /**
   * Returns the section as a result, or undefined if one of the words does not occur in it.
   * @param {(typeof sections)[number]} section
   * @param {string[]} words
   * @returns {Result | undefined}
   */
  const toResult = (
    { path, title, anchor, heading, texts, lower: [lowerTitle = '', lowerHeading = '', ...lowerTexts] },
    words,
  ) => {
    const inTexts = lowerTexts.map(text => words.map(word => fitOf(text, word)))
    const scores = words.map((word, place) =>
      Math.max(
        // The title counts only for the start of the page. Otherwise all sections of the page would be results.
        anchor === '' ? SCORES.title * fitOf(lowerTitle, word) : 0,
        SCORES.heading * fitOf(lowerHeading, word),
        ...inTexts.map(fits => SCORES.text * (fits[place] ?? 0)),
      ),
    )
    if (scores.some(score => score === 0)) return undefined
    const sums = inTexts.map(fits => fits.reduce((sum, one) => sum + one, 0))
    const best = Math.max(0, ...sums)
    const text = best > 0 ? texts[sums.indexOf(best)] : texts[0]
    const score = scores.reduce((sum, one) => sum + one, 0)
    const place = heading === '' ? title : `${title} › ${heading}`
    return { href: `${path}${anchor && `#${anchor}`}`, title: place, text: text ?? '', score }
  }

  /** @param {string[]} words */
  const search = words => {
    const results = words.length === 0 ? [] : sections.flatMap(section => toResult(section, words) ?? [])
    return results.sort((a, b) => b.score - a.score).slice(0, MAX_RESULTS)
  }

  /**
   * Returns the part of a text around its first match.
   * @param {string} text
   * @param {string[]} words
   */
  const snippetOf = (text, words) => {
    const lower = text.toLowerCase()
    const places = words.map(word => lower.indexOf(word)).filter(at => at !== -1)
    const first = places.length > 0 ? Math.min(...places) : 0
    const start = first > SNIPPET_LEAD ? lower.lastIndexOf(' ', first - SNIPPET_LEAD / 2) + 1 : 0
    const end = start + SNIPPET_LENGTH
    return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
  }

  /**
   * Returns a text with its matches in `mark` elements.
   * @param {string} text
   * @param {string[]} words
   */
  const highlighted = (text, words) => {
    const pattern = words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
    // The pattern has one group, so `split` puts the matches at odd indices.
    return text.split(new RegExp(`(${pattern})`, 'giu')).map((part, place) => {
      const element = document.createElement(place % 2 === 1 ? 'mark' : 'span')
      element.textContent = part
      return element
    })
  }

  const box = /** @type {HTMLElement} */ (document.querySelector('.search'))
  const field = /** @type {HTMLInputElement} */ (box.querySelector('input'))
  const list = /** @type {HTMLElement} */ (box.querySelector('[role=listbox]'))
  const status = /** @type {HTMLElement} */ (box.querySelector('[role=status]'))
  /** Index of the selected result in the list, or -1. */
  let chosen = -1

  const options = () => /** @type {HTMLAnchorElement[]} */ ([...list.children])

  /** @param {boolean} isOpen */
  const show = isOpen => {
    list.hidden = !isOpen
    field.setAttribute('aria-expanded', String(isOpen))
    choose(-1)
  }

  /** @param {number} place */
  const choose = place => {
    chosen = place
    for (const [at, option] of options().entries()) option.setAttribute('aria-selected', String(at === place))
    const option = options()[place]
    if (option) field.setAttribute('aria-activedescendant', option.id)
    else field.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }

  /**
   * @param {Result} result
   * @param {number} place
   * @param {string[]} words
   */
  const optionOf = ({ href, title, text }, place, words) => {
    const option = document.createElement('a')
    option.href = new URL(href, root).href
    option.id = `result-${place}`
    option.tabIndex = -1
    option.setAttribute('role', 'option')
    const name = document.createElement('strong')
    name.append(...highlighted(title, words))
    const snippet = document.createElement('span')
    snippet.append(...highlighted(snippetOf(text, words), words))
    option.append(name, snippet)
    return option
  }

  const update = () => {
    const words = wordsOf(field.value)
    const results = search(words)
    list.replaceChildren(...results.map((result, place) => optionOf(result, place, words)))
    list.scrollTop = 0
    show(results.length > 0)
    status.classList.toggle('shown', words.length > 0 && results.length === 0)
    if (words.length === 0) status.textContent = ''
    else if (results.length === 0) status.textContent = `Nothing found for “${field.value.trim()}”.`
    else status.textContent = results.length === 1 ? '1 result' : `${results.length} results`
  }

  const close = () => {
    show(false)
    status.classList.remove('shown')
  }

  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowDown: () => choose(chosen + 1 < options().length ? chosen + 1 : 0),
    ArrowUp: () => choose(chosen > 0 ? chosen - 1 : options().length - 1),
    Enter: () => options()[Math.max(chosen, 0)]?.click(),
  }

  field.addEventListener('input', update)
  field.addEventListener('focus', () => field.value !== '' && update())
  field.addEventListener('keydown', event => {
    if (event.isComposing) return
    if (event.key === 'Escape') {
      // The first Escape closes the list, the next one clears the field.
      if (list.hidden) field.value = ''
      close()
      event.preventDefault()
    } else if (event.key === 'ArrowDown' && list.hidden && field.value !== '') {
      update()
      event.preventDefault()
    } else if (!list.hidden && keys[event.key]) {
      keys[event.key]?.()
      event.preventDefault()
    }
  })
  box.addEventListener('focusout', event => {
    if (!box.contains(/** @type {Node | null} */ (event.relatedTarget))) close()
  })
  // A link within this page does not load a page, so the list would otherwise stay open.
  list.addEventListener('click', close)
  document.addEventListener('keydown', event => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === field) return
    event.preventDefault()
    field.focus()
  })
  box.hidden = false
})()
