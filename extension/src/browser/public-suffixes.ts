/** The rules of the Public Suffix List, from a file in the extension that is read on demand. */
import type { PublicSuffixes } from '../wallet/sites/registrable-domain.ts'
import browser from './api.ts'

export const publicSuffixes: PublicSuffixes = async () => {
  const response = await fetch(browser.runtime.getURL('public-suffixes.txt'))
  return new Set((await response.text()).split('\n'))
}
