/** Text that no file of the repository may contain. The patterns are written such that they do not match themselves. */
import { expect, test } from 'vitest'
import { filesBelow, read } from './sources.ts'

const forbidden = {
  'a marker of unfinished work': /\b(?:TO[D]O|FIX[M]E|X[X]X|HAC[K])\b/,
  'a disabled test': /\b(?:test|it|describe)\.(?:skip|only|todo|fails)\b/,
  'a path on a developer’s machine': /(?:^|[\s'"`(=:])\/(?:work|farm|home|Users)\/\w/m,
  'a path outside of the repository': /(?:^|[\s'"`(])(?:\.\.\/)+shared\/(?!src\b)/m,
  'URL.canParse, which refuses hosts with letters such as ü once Node 20 optimized it': /\bURL\.can[P]arse\(/,
  'the address of a package registry': /\bregistry\.[a-z]+\.(?:org|com)\b/,
}

const files = filesBelow()
  .filter(path => !/\.(?:png|woff2)$/.test(path))
  .map(path => ({ path, text: read(path) }))

test.each(Object.entries(forbidden))('no file contains %s', (_, pattern) => {
  expect(files.length).toBeGreaterThan(0)
  const found = files.flatMap(({ path, text }) => {
    const match = pattern.exec(text)
    return match ? [`${path}: ${match[0].trim()}`] : []
  })
  expect(found).toEqual([])
})

test('no style names left or right, because some scripts run from right to left', () => {
  const styles = files.filter(({ path }) => /^extension\/src\/ui\/.*\.(css|svelte)$/.test(path))
  const SIDE = /^\s*(?:(?:margin|padding|border|inset)-)?(?:left|right)(?:-\w+)?:.*;$|text-align: (?:left|right)/m
  expect(styles.length).toBeGreaterThan(0)
  expect(styles.flatMap(({ path, text }) => SIDE.exec(text)?.map(rule => `${path}: ${rule.trim()}`) ?? [])).toEqual([])
})
