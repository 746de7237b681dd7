/** Recovery phrases of every language, tested with a JSON file that names its sources. */
import { createHash } from 'node:crypto'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToEntropy, mnemonicToSeedWebcrypto } from '@scure/bip39'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '../../extension/src/wallet/keys/languages.ts'
import { checkPhrase, normalizePhrase, toPhrase } from '../../extension/src/wallet/keys/phrase.ts'
import { wordLists } from '../../extension/src/wallet/wallet.fixture.ts'
import phrases from './phrases.json' with { type: 'json' }

const listOf = async (language: string): Promise<string[]> => [...(await wordLists(language as Language))]

test('every language of BIP-39 has vectors and is known to the wallet', () => {
  const languages = [...LANGUAGES].toSorted()
  expect(Object.keys(phrases.lists).toSorted()).toEqual(languages)
  expect([...new Set(phrases.valid.map(({ language }) => language))].toSorted()).toEqual(languages)
})

test.each(Object.entries(phrases.lists))('the words match BIP-39: %s', async (language, hash) => {
  const file = `${(await listOf(language)).join('\n')}\n`
  expect(createHash('sha256').update(file).digest('hex')).toBe(hash)
})

test.each(phrases.valid)('$name', async ({ language, entropy, phrase, passphrase, seed, xprv }) => {
  const normal = await toPhrase(phrase, wordLists)
  expect(normalizePhrase(entropyToMnemonic(hexToBytes(entropy), await listOf(language)))).toBe(normal)
  expect(bytesToHex(mnemonicToEntropy(normal, await listOf(language)))).toBe(entropy)
  const derived = await mnemonicToSeedWebcrypto(normal, passphrase)
  expect(bytesToHex(derived)).toBe(seed)
  expect(HDKey.fromMasterSeed(derived).privateExtendedKey).toBe(xprv)
})

describe('refuses', () => {
  test.each(phrases.invalid)('$note', async ({ phrase }) => {
    expect((await checkPhrase(phrase, wordLists)).valid).toBe(false)
    await expect(toPhrase(phrase, wordLists)).rejects.toMatchObject({ code: -32602 })
  })
})
