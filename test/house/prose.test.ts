/** Comments name their subject: none opens with a pronoun or a preposition that leaves the reader to guess it. */
import { expect, test } from 'vitest'
import { filesBelow, read } from './sources.ts'

const OPENING = /(?:\/\*\*?|\/\/|<!--)[\s*]*(?:What|Whatever|Who|Whoever|Whose|Those|Of|Where|That)\b[^\n]*/g

const openings = filesBelow()
  .filter(path => /\.(?:ts|svelte)$/.test(path))
  .flatMap(path => [...read(path).matchAll(OPENING)].map(([opening]) => ({ path, opening })))

test('no comment opens with What, Who, Those, Of, Where or That', () => {
  expect(openings.map(({ path, opening }) => `${path}: ${opening}`)).toEqual([])
})
