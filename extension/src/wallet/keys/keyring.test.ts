import { encodeData } from '@heliograph/shared/evm/hex'
import { expect, test } from 'vitest'
import { ADDRESS, ADDRESS_LOWER, DERIVATION, SECOND } from '../wallet.fixture.ts'
import { accountsOf, findAccount, findPhrase, findSigner, privateKeyOf, withKeyOf } from './keyring.ts'
import { secretsOf, withHidden, withNextAccount, withPrivateKey, withWatchOnly } from './keyring-changes.ts'
import type { Secrets } from './vault-file.ts'

const KEY = '0x0000000000000000000000000000000000000000000000000000000000000001'
const OF_KEY = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'
const WATCHED = '0x0000000000000000000000000000000000000001'

const phraseIdOf = ({ phrases: [first] }: Secrets) => String(first?.id)
const first = await secretsOf(DERIVATION)
const one = new Uint8Array(32).with(31, 1)
const all = withWatchOnly(
  withPrivateKey(await withNextAccount(first, phraseIdOf(first), 'Second'), one, 'Key'),
  WATCHED,
  'Watched',
)

test('accounts are in the order in which they were added; hidden ones are found but not listed', () => {
  expect(accountsOf(all).map(({ address }) => address)).toEqual([ADDRESS, SECOND, OF_KEY, WATCHED])
  const hidden = withHidden(all, SECOND)
  expect(accountsOf(hidden).map(({ address }) => address)).toEqual([ADDRESS, OF_KEY, WATCHED])
  expect(findAccount(hidden, SECOND)).toMatchObject({ name: 'Second', hidden: true })
})

test('the key of an account is derived from its phrase, or is the imported one', async () => {
  expect(encodeData(await privateKeyOf(all, ADDRESS))).toBe(
    '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  )
  expect(encodeData(await privateKeyOf(all, OF_KEY.toLowerCase()))).toBe(KEY)
  expect(findSigner(all, ADDRESS_LOWER).address).toBe(ADDRESS)
})

test('the wallet has no key for an unknown or a watch-only account', async () => {
  await expect(privateKeyOf(all, `0x${'11'.repeat(20)}`)).rejects.toThrow('has no account')
  await expect(privateKeyOf(all, WATCHED)).rejects.toThrow('watch-only')
  expect(() => findSigner(all, WATCHED)).toThrow(expect.objectContaining({ code: 4100 }))
  await expect(privateKeyOf(all, WATCHED)).rejects.toMatchObject({ code: 4100 })
  expect(() => findPhrase(all, 'another')).toThrow(expect.objectContaining({ reason: 'phraseGone' }))
})

test('a key is wiped after use, even if the use fails', async () => {
  let lent: Uint8Array = new Uint8Array()
  expect(
    await withKeyOf(all, OF_KEY, key => {
      lent = key
      return encodeData(key)
    }),
  ).toBe(KEY)
  expect(lent).toEqual(new Uint8Array(32))
  const failed = withKeyOf(all, ADDRESS, key => {
    lent = key
    throw new Error('not signed')
  })
  await expect(failed).rejects.toThrow('not signed')
  expect(lent).toEqual(new Uint8Array(32))
})
