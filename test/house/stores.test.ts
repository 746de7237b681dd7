/**
 * Checks that the wallet stores nothing outside of its registry of stores: only one file accesses the browser's
 * storage.
 */
import { expect, test } from 'vitest'
import { filesBelow, read } from './sources.ts'

/** Every API that lets an extension's script store data. */
const STORAGE =
  /\bstorage\s*\.\s*(?:local|session|sync|managed)\b|\b(?:indexedDB|caches|localStorage|sessionStorage|cookieStore|document\.cookie)\b|getDirectory\(/

const withoutComments = (code: string) => code.replace(/\/\*[\s\S]*?\*\/|\/\/.*|<!--[\s\S]*?-->/g, '')

/** Stores the choice of light or dark, which belongs to the page and not to the wallet. */
const APPEARANCE = 'extension/src/ui/dom/theme.ts'

test("only one file accesses the browser's storage, besides the choice of light or dark", () => {
  const sources = filesBelow('extension/src').filter(
    path => /\.(ts|svelte)$/.test(path) && !/\.(test|fixture)\./.test(path),
  )
  const reaching = sources.filter(path => STORAGE.test(withoutComments(read(path))))
  expect(sources.length).toBeGreaterThan(200)
  expect(reaching).toEqual(['extension/src/browser/storage.ts', APPEARANCE])
})
