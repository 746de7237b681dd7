/** The BIP-39 word lists, from files in the extension that are read on demand. */
import type { WordLists } from '../wallet/keys/phrase.ts'
import browser from './api.ts'

export const wordLists: WordLists = async language => {
  const response = await fetch(browser.runtime.getURL(`words/${language}.txt`))
  return (await response.text()).split('\n')
}
