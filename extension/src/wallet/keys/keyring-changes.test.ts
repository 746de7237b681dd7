import type { Address } from '@heliograph/shared/evm/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ADDRESS, DERIVATION, SECOND } from '../wallet.fixture.ts'
import { addressesAt } from './derivation.ts'
import { accountsOf, findAccount } from './keyring.ts'
import {
  MAX_ACCOUNTS,
  secretsOf,
  withHidden,
  withName,
  withNextAccount,
  withoutAccount,
  withoutPhrase,
  withPhrase,
  withPlaces,
  withPrivateKey,
  withShown,
  withWatchOnly,
} from './keyring-changes.ts'
import type { Secrets } from './vault-file.ts'

const KEY_OF_SECOND = '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const WATCHED = '0x0000000000000000000000000000000000000001'
const KAIA = { ...DERIVATION, path: "m/44'/8217'/0'/0" }

const key = Uint8Array.from(Buffer.from(KEY_OF_SECOND, 'hex'))
const phraseIdOf = ({ phrases }: Secrets, at = 0) => String(phrases[at]?.id)
const namesOf = (secrets: Secrets) => secrets.accounts.map(({ name }) => name)
const addresses = await addressesAt(DERIVATION, 0, 5)

const first = await secretsOf(DERIVATION)
const id = phraseIdOf(first)

test('a new wallet has one phrase and its first account', () => {
  expect(first.phrases).toEqual([{ ...DERIVATION, id: expect.stringMatching(/^[0-9a-f]{16}$/) }])
  expect(first.accounts).toMatchObject([{ name: 'Account 1', address: ADDRESS, hidden: false }])
})

test('the next account has the lowest free index', async () => {
  const three = await withNextAccount(await withNextAccount(first, id, 'Second'), id, 'Third')
  expect(three.accounts.map(({ address }) => address)).toEqual(addresses.slice(0, 3))
  const back = await withNextAccount(withoutAccount(three, SECOND), id, 'Again')
  expect(findAccount(back, SECOND)).toMatchObject({ name: 'Again', source: { index: 1 } })
  await expect(withNextAccount(first, 'another', 'Name')).rejects.toThrow(
    expect.objectContaining({ reason: 'phraseGone' }),
  )
})

test('a wallet can hold several phrases, but not the same one twice', async () => {
  const both = await withPhrase(first, KAIA, 'Kaia')
  expect(both.phrases).toHaveLength(2)
  const next = await withNextAccount(both, phraseIdOf(both, 1), 'Kaia 2')
  expect(next.accounts.slice(1).map(({ address }) => address)).toEqual(await addressesAt(KAIA, 0, 2))
  for (const again of [DERIVATION, KAIA])
    await expect(withPhrase(both, again, 'Again')).rejects.toThrow('already has this phrase')
  expect((await withPhrase(both, { ...DERIVATION, passphrase: 'x' }, 'Other')).phrases).toHaveLength(3)
})

test('discovered accounts are added with unused names, and existing accounts stay unchanged', () => {
  const named = withName(first, ADDRESS, 'Account 2')
  const places = [0, 2, 4].map(index => ({ index, address: addresses[index] as Address }))
  const found = withPlaces(named, id, places)
  expect(namesOf(found)).toEqual(['Account 2', 'Account 3', 'Account 4'])
  expect(found.accounts.map(({ address }) => address)).toEqual([0, 2, 4].map(index => addresses[index]))
  expect(withPlaces(found, id, places)).toEqual(found)
})

test('a key replaces a watch-only account, a phrase replaces an imported key, and no other account is replaced', async () => {
  const watched = withHidden(withWatchOnly(first, SECOND, 'Watched'), SECOND)
  expect(() => withWatchOnly(watched, SECOND, 'Again')).toThrow('already')
  const held = withPrivateKey(watched, key, 'Key')
  expect(held.accounts[1]).toMatchObject({ name: 'Watched', hidden: false, source: { kind: 'privateKey' } })
  for (const add of [
    () => withPrivateKey(held, key, 'Again'),
    () => withWatchOnly(held, SECOND, 'Again'),
    () => withWatchOnly(held, ADDRESS, 'Again'),
  ])
    expect(add).toThrow('already has this account')
  const ofPhrase = await withNextAccount(held, id, 'Second')
  expect(ofPhrase.accounts[1]).toMatchObject({ name: 'Watched', source: { kind: 'phrase', index: 1 } })
  expect(() => withPrivateKey(ofPhrase, key, 'Again')).toThrow('already has this account')
})

test('renaming, hiding and showing change one account', async () => {
  const two = await withNextAccount(first, id, 'Second')
  expect(namesOf(withName(two, SECOND.toLowerCase(), 'Savings'))).toEqual(['Account 1', 'Savings'])
  expect(accountsOf(withHidden(two, ADDRESS)).map(({ name }) => name)).toEqual(['Second'])
  expect(withShown(withHidden(two, ADDRESS), ADDRESS)).toEqual(two)
  for (const change of [withHidden, withShown, withoutAccount])
    expect(() => change(two, WATCHED)).toThrow('has no account')
})

test('removing a phrase removes its accounts and no other accounts', async () => {
  const both = withWatchOnly(await withPhrase(first, KAIA, 'Kaia'), WATCHED, 'Watched')
  expect(namesOf(withoutPhrase(both, id))).toEqual(['Kaia', 'Watched'])
  expect(withoutPhrase(both, id).phrases).toMatchObject([KAIA])
})

test('the last visible account cannot be removed or hidden', async () => {
  const two = await withNextAccount(first, id, 'Second')
  for (const last of [
    () => withoutAccount(first, ADDRESS),
    () => withHidden(first, ADDRESS),
    () => withoutPhrase(two, id),
    () => withoutAccount(withHidden(two, ADDRESS), SECOND),
  ])
    expect(last).toThrow("You can't remove your last account.")
})

test(`a wallet holds at most ${MAX_ACCOUNTS} accounts`, () => {
  const full: Secrets = {
    ...first,
    accounts: Array.from({ length: MAX_ACCOUNTS }, (_, at) => ({
      name: `Account ${at}`,
      address: `0x${at.toString(16).padStart(40, '0')}`,
      hidden: false,
      source: { kind: 'watchOnly' },
    })),
  }
  expect(() => withPrivateKey(full, key, 'One more')).toThrow(expect.objectContaining({ code: -32005 }))
})

test('after any sequence of changes addresses are unique, inputs are unchanged and an account is visible', async () => {
  const changes = fc.array(
    fc.tuple(fc.constantFrom('next', 'watch', 'hide', 'show', 'remove', 'key'), fc.nat(addresses.length - 1)),
    { maxLength: 12 },
  )
  const apply = async (secrets: Secrets, change: string, address: Address): Promise<Secrets> => {
    if (change === 'next') return withNextAccount(secrets, id, 'Next')
    if (change === 'watch') return withWatchOnly(secrets, address, 'Watched')
    if (change === 'hide') return withHidden(secrets, address)
    if (change === 'show') return withShown(secrets, address)
    if (change === 'remove') return withoutAccount(secrets, address)
    return withPrivateKey(secrets, key, 'Key')
  }
  await fc.assert(
    fc.asyncProperty(changes, async steps => {
      let secrets = first
      for (const [change, at] of steps) {
        const before = JSON.stringify(secrets)
        let changed = secrets
        try {
          changed = await apply(secrets, change, addresses[at] as Address)
        } catch (error) {
          expect(error).toMatchObject({ name: 'RpcError' })
        }
        expect(JSON.stringify(secrets)).toBe(before)
        secrets = changed
        expect(new Set(secrets.accounts.map(({ address }) => address)).size).toBe(secrets.accounts.length)
        expect(accountsOf(secrets).length).toBeGreaterThan(0)
      }
    }),
    { numRuns: 30 },
  )
})
