import { encodeData } from '@heliograph/shared/evm/hex'
import { HDNodeWallet, Mnemonic } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ADDRESS, PHRASE, SECOND, wordLists } from '../wallet.fixture.ts'
import { ACCOUNTS_PATH, addressesAt, keyAt, toAccountsPath } from './derivation.ts'
import { newPhrase } from './phrase.ts'

const usual = { phrase: PHRASE, passphrase: '', path: ACCOUNTS_PATH }

test('the development phrase derives the accounts of development chains', async () => {
  expect(await addressesAt(usual, 0, 2)).toEqual([ADDRESS, SECOND])
  expect(encodeData(await keyAt(usual, 0))).toBe('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
})

test('any phrase, passphrase, path and index derives the same account as ethers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(12, 15, 18, 21, 24),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(60, 8217, 1),
      fc.nat(0x7fffffff),
      async (words, passphrase, coin, index) => {
        const derivation = { phrase: await newPhrase(words, wordLists), passphrase, path: `m/44'/${coin}'/3'/0` }
        const theirs = HDNodeWallet.fromMnemonic(
          Mnemonic.fromPhrase(derivation.phrase, passphrase),
          `${derivation.path}/${index}`,
        )
        expect(await addressesAt(derivation, index, 1)).toEqual([theirs.address])
        expect(encodeData(await keyAt(derivation, index))).toBe(theirs.privateKey)
      },
    ),
    { numRuns: 10 },
  )
})

test('a passphrase derives different accounts, and an empty passphrase is the same as none', async () => {
  expect(await addressesAt({ ...usual, passphrase: ' ' }, 0, 1)).not.toEqual([ADDRESS])
})

test('only BIP-44 paths are accepted', () => {
  for (const path of [ACCOUNTS_PATH, "m/44'/8217'/0'/0", "m/44'/60'/2147483647'/0"])
    expect(toAccountsPath(path)).toBe(path)
  for (const path of [
    '',
    'm',
    "m/44'/60'/0'",
    "m/44'/60'/0'/0/0",
    "m/44'/60'/0'/1",
    'm/44/60/0/0',
    "m/44'/060'/0'/0",
    "m/44'/2147483648'/0'/0",
    "m/44'/60'/0'/0 ",
    "M/44'/60'/0'/0",
    'm/44h/60h/0h/0',
    "m/49'/60'/0'/0",
  ])
    expect(() => toAccountsPath(path), path).toThrow("A path for accounts must have the form m/44'/60'/0'/0")
})
