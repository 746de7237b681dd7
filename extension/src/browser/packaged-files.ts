/** Files in the extension that are read on demand, because they are too large for the worker's script. */
import type { CommonPasswords } from '../wallet/keys/password.ts'
import type { WordLists } from '../wallet/keys/phrase.ts'
import type { ContractList } from '../wallet/networks/known-contracts.ts'
import type { ListedNetworks } from '../wallet/networks/networks.ts'
import type { PublicSuffixes } from '../wallet/sites/registrable-domain.ts'
import type { TokenList } from '../wallet/tokens/listed-tokens.ts'
import type { FeedList } from '../wallet/values/feeds.ts'
import browser from './api.ts'

/** The most common passwords, read when a password is chosen. */
export const commonPasswords: CommonPasswords = async () => {
  const response = await fetch(browser.runtime.getURL('common-passwords.txt'))
  return (await response.text()).split('\n')
}

/** The catalogue of known contracts. */
export const contractList: ContractList = async () => {
  const response = await fetch(browser.runtime.getURL('contracts.json'))
  return response.json()
}

/** The catalogue of price feeds. */
export const feedList: FeedList = async () => {
  const response = await fetch(browser.runtime.getURL('feeds.json'))
  return response.json()
}

/** The catalogue of networks. */
export const listedNetworks: ListedNetworks = async () => {
  const response = await fetch(browser.runtime.getURL('networks.json'))
  return response.json()
}

/** The catalogue of tokens. */
export const tokenList: TokenList = async () => {
  const response = await fetch(browser.runtime.getURL('tokens.json'))
  return response.json()
}

/** The rules of the Public Suffix List. */
export const publicSuffixes: PublicSuffixes = async () => {
  const response = await fetch(browser.runtime.getURL('public-suffixes.txt'))
  return new Set((await response.text()).split('\n'))
}

/** The BIP-39 word lists. */
export const wordLists: WordLists = async language => {
  const response = await fetch(browser.runtime.getURL(`words/${language}.txt`))
  return (await response.text()).split('\n')
}
