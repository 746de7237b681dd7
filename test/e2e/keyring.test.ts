/** Phrases and keys in the extension. `locking.test.ts` tests the worker and the lock. */
import { HDNodeWallet, Mnemonic, wordlists } from 'ethers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startAnvil } from '../support/anvil.ts'
import phrases from '../vectors/phrases.json' with { type: 'json' }
import { createVault, importByHand, PASSWORD, type Person, startPerson, useLocalChain } from './person.ts'
import { callWallet } from './wallet-page.ts'

const OTHER_PASSWORD = 'a password for the file only'
const KEY = `0x${'11'.repeat(32)}`

let person: Person

beforeEach(async () => {
  person = await startPerson()
})
afterEach(() => person?.leave())

test('a phrase in another language is imported on the setup page', async () => {
  const japanese = phrases.valid.find(({ language }) => language === 'japanese')
  const phrase = String(japanese?.phrase)
  const home = await importByHand(person, phrase.split('\u3000'))
  const { result } = await callWallet(home, 'getState', null)
  const theirs = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(phrase, '', wordlists.ja))
  expect(result.accounts.map(({ address }) => address)).toEqual([theirs.address])
})

test('used accounts are found', async () => {
  const page = await createVault(person)
  const anvil = await startAnvil()
  try {
    await useLocalChain(page, anvil.url)
    const stateNow = async () => (await callWallet(page, 'getState', null)).result
    const [phrase] = (await stateNow()).phrases
    const { result } = await callWallet(page, 'discoverAccounts', { phraseId: String(phrase?.id) })
    // Anvil funds the first ten accounts.
    expect(result).toHaveLength(9)
    expect((await stateNow()).accounts).toHaveLength(10)
  } finally {
    await anvil.stop()
  }
})

test('a key is exported as a keystore and imported again', async () => {
  const page = await createVault(person)
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
