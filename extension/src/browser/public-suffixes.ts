/** The rules of the Public Suffix List: a file beside the script, read when it is needed. */
import type { PublicSuffixes } from '../wallet/registrable-domain.ts'
import browser from './api.ts'

export const publicSuffixes: PublicSuffixes = async () => {
  const response = await fetch(browser.runtime.getURL('public-suffixes.txt'))
  return (await response.text()).split('\n')
}
