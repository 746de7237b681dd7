/** Every file of e2e tests runs in both browsers, or docs/browsers.md says why it runs in one. */
import { expect, test } from 'vitest'
import { IN_BOTH, IN_FIREFOX_ALONE } from '../e2e/browsers.ts'
import { filesBelow, read } from './sources.ts'

test('docs/browsers.md names exactly the e2e files that run in one browser', () => {
  const all = filesBelow('test/e2e').flatMap(path => /^test\/e2e\/([\w-]+)\.test\.ts$/.exec(path)?.[1] ?? [])
  const both: readonly string[] = IN_BOTH
  const firefox: readonly string[] = IN_FIREFOX_ALONE
  expect(all).toEqual(expect.arrayContaining([...both, ...firefox]))
  const one = all.filter(name => !both.includes(name))
  const told = [...read('docs/browsers.md').matchAll(/^\| `([\w-]+)` \| (Chromium|Firefox) \| .+ \|$/gm)]
  expect(told.map(([, name, browser]) => [name, browser]).toSorted()).toEqual(
    one.toSorted().map(name => [name, firefox.includes(name) ? 'Firefox' : 'Chromium']),
  )
})
