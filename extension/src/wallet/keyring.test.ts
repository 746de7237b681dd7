import { fromBytes } from '@heliograph/shared/evm/hex'
import { expect, test } from 'vitest'
import { accountsOf, checkPhrase, newPhrase, privateKeyOf, secretsOf, withNextAccount } from './keyring.ts'
import { ADDRESS, PHRASE } from './wallet.fixture.ts'

test('the accounts of the development phrase are those every development chain has', () => {
  const secrets = withNextAccount(secretsOf(PHRASE), 'Second')
  expect(accountsOf(secrets).map(({ address }) => address)).toEqual([
    ADDRESS,
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ])
  expect(fromBytes(privateKeyOf(secrets, ADDRESS))).toBe(
    '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  )
})

test('a phrase is read whatever its case and spaces', () => {
  const untidy = `  ${PHRASE.toUpperCase().replaceAll(' ', '\n ')}\t`
  expect(accountsOf(secretsOf(untidy))).toEqual(accountsOf(secretsOf(PHRASE)))
})

test('new phrases are phrases of the asked length, and never the same', () => {
  for (const words of [12, 24] as const) {
    const phrase = newPhrase(words)
    expect(phrase.split(' ')).toHaveLength(words)
    expect(checkPhrase(phrase)).toEqual({ valid: true, unknownWords: [] })
    expect(newPhrase(words)).not.toBe(phrase)
  }
})

test('a wrong phrase is refused, and its unknown words are pointed out', () => {
  const wrongSum = 'test '.repeat(12).trim()
  expect(checkPhrase(wrongSum)).toEqual({ valid: false, unknownWords: [] })
  expect(checkPhrase(PHRASE.replace('junk', 'junkk'))).toEqual({ valid: false, unknownWords: [11] })
  for (const phrase of [wrongSum, '', 'test', `${PHRASE} test`])
    expect(() => secretsOf(phrase)).toThrow('not a recovery phrase')
})

test('the wallet has no key of a foreign account', () => {
  expect(() => privateKeyOf(secretsOf(PHRASE), '0x0000000000000000000000000000000000000001')).toThrow('has no account')
})
