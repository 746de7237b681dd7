import { expect, test } from 'vitest'
import { MAX_ELEMENTS, MAX_GROUPS, MAX_SVG_BYTES, readPlainSvg } from './plain-svg.ts'

const read = (text: string) => {
  const bytes = readPlainSvg(new TextEncoder().encode(text))
  return bytes && new TextDecoder().decode(bytes)
}
const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`

test.each([
  svg('<rect width="9" height="9" fill="#f00"/>'),
  svg('<!-- a note --><g><path d="M0 0h9"/><text x="1" y="2">Cat &amp; &#39;dog&#39;</text></g>'),
  svg('<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><circle r="3" fill="url(#a)"/>'),
  svg('<style><![CDATA[.a{fill:red}]]></style><rect class="a" width="1" height="1"/>'),
])('a plain picture is accepted: %s', text => {
  expect(read(text)).toBe(text)
})

test('an encoding declaration and a byte order mark are dropped', () => {
  expect(read(`\ufeff<?xml version="1.0" encoding="utf-7"?>${svg('')}`)).toBe(svg(''))
})

const entities = `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(100)}"><!ENTITY b "&a;&a;&a;&a;">]>`

test.each([
  ['a script', svg('<script>alert(1)</script>')],
  ['HTML inside', svg('<foreignObject><iframe src="https://evil.example"/></foreignObject>')],
  ['another picture', svg('<image href="https://evil.example/x.png"/>')],
  ['a link', svg('<a href="https://evil.example"><rect/></a>')],
  ['entities', `${entities}${svg('<text>&b;</text>')}`],
  ['a style sheet', `<?xml-stylesheet href="https://evil.example/x.css"?>${svg('')}`],
  ['elements that multiply', svg('<g id="a"><use href="#b"/><use href="#b"/></g>')],
  ['a multiplying element with a prefix', svg('<s:use xmlns:s="http://www.w3.org/2000/svg" href="#b"/>')],
  ['patterns', svg('<pattern id="a"><rect fill="url(#b)"/></pattern>')],
  ['filters', svg('<rect style="filter:blur(9px)"/>')],
  ['filters in references', svg('<rect style="&#102;&#x69;lter:blur(9px)"/>')],
  ['filters in long references', svg('<rect style="&#x000000066;&#000000000105;lter:blur(9px)"/>')],
  ['filters in escapes', svg('<style>rect{\\66ilter:blur(9px)}</style>')],
  ['animations', svg('<animate attributeName="x" dur="1ms"/>')],
  ['animations in styles', svg('<style>@keyframes a{}</style>')],
  ['dashes', svg('<path d="M0 0H1e9" stroke-dasharray="1e-9"/>')],
  ['HTML', '<html><body>Not found</body></html>'],
  ['text', 'hello'],
  ['nothing', ''],
])('%s is refused', (_, text) => {
  expect(read(text)).toBeNull()
})

test('the numbers of bytes, elements and groups are limited', () => {
  const with_ = (content: string, count: number) => read(svg(content.repeat(count)))
  expect(with_('<line/>', MAX_ELEMENTS - 1)).not.toBeNull()
  expect(with_('<line/>', MAX_ELEMENTS)).toBeNull()
  expect(with_('<g/>', MAX_GROUPS - 1)).not.toBeNull()
  expect(with_('<g/>', MAX_GROUPS)).toBeNull()
  expect(with_('x', MAX_SVG_BYTES)).toBeNull()
  expect(readPlainSvg(Uint8Array.of(0x3c, 0xff))).toBeNull()
})
