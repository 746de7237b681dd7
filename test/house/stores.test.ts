/** The wallet keeps nothing outside of its registry of stores: one file reaches the browser's storage. */
import { expect, test } from 'vitest'
import { filesBelow, read } from './sources.ts'

/** Every API with which a script of an extension can store data. */
const STORAGE =
  /\bstorage\s*\.\s*(?:local|session|sync|managed)\b|\b(?:indexedDB|caches|localStorage|sessionStorage|cookieStore|document\.cookie)\b|getDirectory\(/

const withoutComments = (code: string) => code.replace(/\/\*[\s\S]*?\*\/|\/\/.*|<!--[\s\S]*?-->/g, '')

/** Light or dark: the choice of a page, not of the wallet. */
const APPEARANCE = 'extension/src/ui/dom/theme.ts'

test("one file accesses the browser's storage", () => {
  const sources = filesBelow('extension/src').filter(
    path => /\.(ts|svelte)$/.test(path) && !/\.(test|fixture)\./.test(path),
  )
  const reaching = sources.filter(path => STORAGE.test(withoutComments(read(path))))
  expect(sources.length).toBeGreaterThan(200)
  expect(reaching).toEqual(['extension/src/browser/storage.ts', APPEARANCE])
})
