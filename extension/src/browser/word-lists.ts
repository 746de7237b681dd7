/** The words of BIP-39: files beside the script, read when they are needed. */
import type { WordLists } from '../wallet/keys/phrase.ts'
import browser from './api.ts'

export const wordLists: WordLists = async language => {
  const response = await fetch(browser.runtime.getURL(`words/${language}.txt`))
  return (await response.text()).split('\n')
}
