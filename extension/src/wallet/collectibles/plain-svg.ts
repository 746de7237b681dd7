/**
 * Accepts only SVG pictures that consist of shapes, text and gradients. In `<img>`, a browser neither runs an SVG's
 * scripts nor loads anything for it, but a small file can still take minutes to draw: entities, and elements that
 * repeat other elements, multiply at each level.
 */

/** Elements that are drawn only once, at their own place. */
const ELEMENTS: ReadonlySet<string> = new Set([
  ...['svg', 'g', 'defs', 'title', 'desc', 'metadata', 'style'],
  ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan', 'textPath'],
  ...['linearGradient', 'radialGradient', 'stop'],
])
/**
 * Properties that are costly per element, or animate the picture. A backslash is matched too, because an escape
 * sequence could hide their names.
 */
const COSTLY = /filter|mask|clip-path|dasharray|animation|keyframes|transition|shadow|\\/i

export const MAX_SVG_BYTES = 100_000
export const MAX_ELEMENTS = 5_000
/** Maximum number of groups. Groups can be nested, and each level can become a layer. */
export const MAX_GROUPS = 250

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** XML declarations name an encoding, which the browser would use instead of UTF-8. */
const DECLARATION = /^\s*<\?xml\s[^?]*\?>/
/** Matches document types, which define entities, and processing instructions. Comments and CDATA are harmless. */
const OTHER_MARKUP = /<(?:\?|!(?!--|\[CDATA\[))/
const TAG = /<([^\s/>!?]+)/g

const withoutReferences = (text: string): string =>
  text.replace(/&#(?:x([0-9a-f]+)|([0-9]+));?/gi, (_, hex, decimal) =>
    String.fromCharCode(hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16)),
  )

const readText = (bytes: Uint8Array): string | null => {
  if (bytes.length > MAX_SVG_BYTES) return null
  try {
    return utf8.decode(bytes).replace(DECLARATION, '')
  } catch {
    return null
  }
}

/** Returns the picture in UTF-8, for `image/svg+xml;charset=utf-8`. Null if it is not a plain SVG. */
export const readPlainSvg = (bytes: Uint8Array): Uint8Array | null => {
  const text = readText(bytes)
  if (text === null || OTHER_MARKUP.test(text) || COSTLY.test(withoutReferences(text))) return null
  const names = Array.from(text.matchAll(TAG), ([, name = '']) => name)
  const groups = names.filter(name => name === 'g' || name === 'svg')
  const isPlain =
    names[0] === 'svg' &&
    names.length <= MAX_ELEMENTS &&
    groups.length <= MAX_GROUPS &&
    names.every(name => ELEMENTS.has(name))
  return isPlain ? new TextEncoder().encode(text) : null
}
