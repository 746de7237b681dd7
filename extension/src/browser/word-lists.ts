/** The words of BIP-39's other languages: files beside the script, read when a phrase is not in English. */
import browser from 'webextension-polyfill'
import type { WordLists } from '../wallet/phrase.ts'

export const wordLists: WordLists = async language => {
  const response = await fetch(browser.runtime.getURL(`words/${language}.txt`))
  return (await response.text()).split('\n')
}
