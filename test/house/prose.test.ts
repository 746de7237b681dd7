/** Comments name their subject: none opens with a pronoun or a preposition that leaves the reader to guess it. */
import { expect, test } from 'vitest'
import { filesBelow, read } from './sources.ts'

const OPENING = /(?:\/\*\*?|\/\/|<!--)[\s*]*(?:What|Whatever|Who|Whoever|Whose|Those|Of|Where|That)\b[^\n]*/g

/** Folders whose comments still have to be rewritten. Remove a folder once its comments are clean; do not add any. */
const PENDING = ['test/e2e'] as const

const openings = filesBelow()
  .filter(path => /\.(?:ts|svelte)$/.test(path))
  .flatMap(path => [...read(path).matchAll(OPENING)].map(([opening]) => ({ path, opening })))

const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

test('no comment opens with What, Who, Those, Of, Where or That', () => {
  const found = openings.filter(({ path }) => !PENDING.some(folder => isIn(path, folder)))
  expect(found.map(({ path, opening }) => `${path}: ${opening}`)).toEqual([])
})

test.each(PENDING)('%s is still pending', folder => {
  expect(openings.some(({ path }) => isIn(path, folder))).toBe(true)
})
