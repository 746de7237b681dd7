/** Phrases and keys in the released extension. `locking.test.ts` tests the worker and the lock. */
import { HDNodeWallet, Mnemonic, wordlists } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import phrases from '../vectors/phrases.json' with { type: 'json' }
import { importByHand, type Owner, PASSWORD, startWithRelease, useLocalChain } from './person.ts'
import { callWallet } from './wallet-page.ts'

const OTHER_PASSWORD = 'a password for the file only'
const KEY = `0x${'11'.repeat(32)}`

let anvil: Anvil
let person: Owner
let page: Page

beforeAll(async () => {
  anvil = await startAnvil()
  const first = await startWithRelease()
  await first.welcome.close()
  person = first
  page = await importByHand(person)
  await useLocalChain(page, anvil.url)
})

afterAll(async () => {
  await person?.leave()
  await anvil?.stop()
})

const stateNow = async () => (await callWallet(page, 'getState', null)).result

test('a phrase in another language is imported on the setup page', async () => {
  const japanese = phrases.valid.find(({ language }) => language === 'japanese')
  const phrase = String(japanese?.phrase)
  const newcomer = await startWithRelease()
  try {
    await newcomer.welcome.close()
    const home = await importByHand(newcomer, phrase.split('\u3000'))
    const { result } = await callWallet(home, 'getState', null)
    const theirs = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(phrase, '', wordlists.ja))
    expect(result.accounts.map(({ address }) => address)).toEqual([theirs.address])
  } finally {
    await newcomer.leave()
  }
})

test('used accounts are found', async () => {
  const [phrase] = (await stateNow()).phrases
  const { result } = await callWallet(page, 'discoverAccounts', { phraseId: String(phrase?.id) })
  // Anvil funds the first ten accounts.
  expect(result).toHaveLength(9)
  expect((await stateNow()).accounts).toHaveLength(10)
})

test('a key is exported as a keystore and imported again', async () => {
  const { result: imported } = await callWallet(page, 'importPrivateKey', { privateKey: KEY, name: 'Key' })
  const { address } = imported
  const exported = await callWallet(page, 'exportKeystore', {
    address,
    password: PASSWORD,
    keystorePassword: OTHER_PASSWORD,
  })
  await callWallet(page, 'removeAccount', { address, password: PASSWORD })
  const again = await callWallet(page, 'importKeystore', {
    keystore: exported.result.keystore,
    password: OTHER_PASSWORD,
    name: 'Again',
  })
  expect(again.result).toMatchObject({ address, kind: 'privateKey' })
  expect((await callWallet(page, 'revealPrivateKey', { address, password: PASSWORD })).result).toBe(KEY)
})
