import { expect, test } from 'vitest'
import { addressesAt } from '../keys/derivation.ts'
import {
  ADDRESS_LOWER,
  connectedWallet,
  createdWallet,
  DERIVATION,
  NOW,
  PASSWORD,
  PHRASE,
  SITE,
  startWallet,
  wordLists,
} from '../wallet.fixture.ts'

const NEW_PASSWORD = 'battery horse correct'
const MINUTE = 60_000

test('a wallet is created from a phrase only once', async () => {
  const { wallet, state } = startWallet()
  for (const words of [12, 15, 18, 21, 24] as const)
    expect((await wallet.ui.newPhrase({ words })).split(' ')).toHaveLength(words)
  const phrase = await wallet.ui.newPhrase({ words: 12 })
  expect(await wallet.ui.checkPhrase({ phrase })).toEqual({ valid: true, unknownWords: [] })
  await expect(wallet.ui.createVault({ password: PASSWORD, phrase: 'no phrase' })).rejects.toMatchObject({
    code: -32602,
  })
  expect((await wallet.ui.getState(null)).phase).toBe('empty')
  await wallet.ui.createVault({ password: PASSWORD, phrase })
  expect(state()).toMatchObject({ phase: 'unlocked', accounts: [{ name: 'Account 1', kind: 'phrase' }] })
  await expect(wallet.ui.createVault({ password: PASSWORD, phrase })).rejects.toMatchObject({ code: -32600 })
})

test('a weak password is rejected before the phrase is shown', async () => {
  const { wallet } = startWallet()
  const refused = (password: string, reason: string) =>
    expect(wallet.ui.checkPassword({ password })).rejects.toMatchObject({ code: -32602, reason })
  await refused('Password', 'commonPassword')
  await refused('harbour', 'shortPassword')
  expect(await wallet.ui.checkPassword({ password: PASSWORD })).toBeNull()
})

test('a wallet is created from a phrase in any language, with a passphrase and a path', async () => {
  const list = await wordLists('japanese')
  const phrase = [...Array(11).fill(list[0]), list[3]].join('\u3000')
  const { wallet, state } = startWallet()
  const path = "m/44'/8217'/0'/0"
  await expect(wallet.ui.createVault({ password: PASSWORD, phrase, path: 'm/0' })).rejects.toMatchObject({
    code: -32602,
  })
  await wallet.ui.createVault({ password: PASSWORD, phrase, passphrase: 'メートル', path })
  const normal = phrase.normalize('NFKD')
  const [address] = await addressesAt({ phrase: normal, passphrase: 'メートル', path }, 0, 1)
  expect(state()).toMatchObject({
    accounts: [{ address }],
    phrases: [{ words: 12, path, hasPassphrase: true }],
  })
})

test("locking does not notify sites, unlocking resends their accounts, and the wallet's pages see both", async () => {
  const { wallet, events, state } = await connectedWallet()
  await wallet.ui.lock(null)
  await wallet.ui.lock(null)
  expect(state()?.phase).toBe('locked')
  await wallet.ui.unlock({ password: PASSWORD })
  expect(state()?.phase).toBe('unlocked')
  expect(events).toEqual([{ event: 'accountsChanged', origin: SITE, data: [ADDRESS_LOWER] }])
})

test('a wrong password does not unlock or notify anything', async () => {
  const { wallet, events } = await connectedWallet()
  await wallet.ui.lock(null)
  events.length = 0
  await expect(wallet.ui.unlock({ password: 'wrong' })).rejects.toMatchObject({ reason: 'wrongPassword' })
  expect((await wallet.ui.getState(null)).phase).toBe('locked')
  expect(events).toEqual([])
})

test('changing the password requires the current one', async () => {
  const { wallet } = await createdWallet()
  await expect(wallet.ui.changePassword({ password: 'wrong', newPassword: NEW_PASSWORD })).rejects.toMatchObject({
    reason: 'wrongPassword',
  })
  await wallet.ui.changePassword({ password: PASSWORD, newPassword: NEW_PASSWORD })
  await wallet.ui.lock(null)
  await expect(wallet.ui.unlock({ password: PASSWORD })).rejects.toMatchObject({ code: 4100 })
  await wallet.ui.unlock({ password: NEW_PASSWORD })
})

test('a vault damaged while unlocked is shown as locked with the reason, and can be restored', async () => {
  const { wallet, store, state } = await createdWallet()
  const { sealed, ...rest } = (await store.local.get('vault')) as { sealed: string }
  await store.local.set('vault', { ...rest, sealed: sealed.slice(2) })
  expect((await wallet.ui.getState(null)).phase).toBe('locked')
  await expect(wallet.ui.unlock({ password: PASSWORD })).rejects.toMatchObject({
    reason: 'vaultTruncated',
    message: expect.stringContaining('Nothing was changed'),
  })
  await wallet.ui.restoreVault({ password: PASSWORD })
  expect(state()).toMatchObject({ phase: 'unlocked', accounts: [{ name: 'Account 1' }] })
})

test('the wallet locks the set number of minutes after the last use, even if the worker stops', async () => {
  const { wallet, locks, store, state } = await createdWallet()
  await wallet.used()
  await wallet.ui.setAutoLock({ minutes: 5 })
  expect(state()?.autoLockMinutes).toBe(5)
  expect(locks).toEqual([NOW + 15 * MINUTE, NOW + 5 * MINUTE])
  await expect(wallet.ui.setAutoLock({ minutes: 0 })).rejects.toMatchObject({ code: -32602 })

  const early = startWallet({ store, now: () => NOW + 4 * MINUTE })
  await early.wallet.resume()
  expect(early.locks).toEqual([NOW + 5 * MINUTE])
  expect((await early.wallet.ui.getState(null)).phase).toBe('unlocked')
  const late = startWallet({ store, now: () => NOW + 6 * MINUTE })
  await late.wallet.resume()
  expect((await late.wallet.ui.getState(null)).phase).toBe('locked')
  await late.wallet.ui.unlock({ password: PASSWORD })
  await late.wallet.used()

  const returned = startWallet({ store, now: () => NOW + 60 * MINUTE })
  await returned.wallet.used()
  expect((await returned.wallet.ui.getState(null)).phase).toBe('locked')
})

test('the state contains no secrets, whether locked or not', async () => {
  const { wallet } = startWallet()
  await wallet.ui.createVault({ password: PASSWORD, phrase: PHRASE, passphrase: 'hidden words' })
  await wallet.ui.importPrivateKey({ privateKey: '11'.repeat(32), name: 'Key' })
  const open = JSON.stringify(await wallet.ui.getState(null))
  await wallet.ui.lock(null)
  const closed = JSON.stringify(await wallet.ui.getState(null))
  expect(open + closed).not.toMatch(/\bjunk\b/)
  for (const secret of ['hidden words', '1'.repeat(8), PASSWORD]) expect(open + closed).not.toContain(secret)
  expect(closed).not.toContain((await addressesAt({ ...DERIVATION, passphrase: 'hidden words' }, 0, 1))[0])
})

test('removing the wallet requires the password, removes keys, sites and requests, and allows a new one', async () => {
  const { wallet, state, events, store } = await connectedWallet()
  await expect(wallet.ui.removeWallet({ password: 'wrong' })).rejects.toThrow()
  expect((await wallet.ui.getState(null)).phase).toBe('unlocked')
  events.length = 0
  await wallet.ui.removeWallet({ password: PASSWORD })
  expect(state()).toMatchObject({ phase: 'empty', accounts: [], sites: [] })
  expect(events).toEqual([{ event: 'accountsChanged', origin: SITE, data: [] }])
  for (const name of ['vault', 'vault-previous', 'vault-damaged']) expect(await store.local.get(name)).toBeUndefined()
  expect(await store.session.get('vault-key')).toBeUndefined()
  await wallet.ui.createVault({ password: NEW_PASSWORD, phrase: PHRASE })
  expect(state()?.phase).toBe('unlocked')
})
