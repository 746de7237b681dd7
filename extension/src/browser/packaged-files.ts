/** Files in the extension that are read on demand, because they are too large for the worker's script. */
import type { CommonPasswords } from '../wallet/keys/password.ts'
import type { WordLists } from '../wallet/keys/phrase.ts'
import type { ContractList } from '../wallet/networks/known-contracts.ts'
import type { ListedNetworks } from '../wallet/networks/networks.ts'
import type { PublicSuffixes } from '../wallet/sites/registrable-domain.ts'
import type { TokenList } from '../wallet/tokens/listed-tokens.ts'
import type { FeedList } from '../wallet/values/feeds.ts'
import browser from './api.ts'

const read = (name: string): Promise<Response> => fetch(browser.runtime.getURL(name))
const readJson = async (name: string) => (await read(name)).json()
const readLines = async (name: string): Promise<string[]> => (await (await read(name)).text()).split('\n')

/** The most common passwords, read when a password is chosen. */
export const commonPasswords: CommonPasswords = () => readLines('common-passwords.txt')

/** The catalogue of known contracts. */
export const contractList: ContractList = () => readJson('contracts.json')

/** The catalogue of price feeds. */
export const feedList: FeedList = () => readJson('feeds.json')

/** The catalogue of networks. */
export const listedNetworks: ListedNetworks = () => readJson('networks.json')

/** The catalogue of tokens. */
export const tokenList: TokenList = () => readJson('tokens.json')

/** The rules of the Public Suffix List. */
export const publicSuffixes: PublicSuffixes = async () => new Set(await readLines('public-suffixes.txt'))

/** The BIP-39 word lists. */
export const wordLists: WordLists = language => readLines(`words/${language}.txt`)
