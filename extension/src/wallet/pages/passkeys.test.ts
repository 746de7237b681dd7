import { expect, test } from 'vitest'
import {
  ADDRESS_LOWER,
  connectedWallet,
  createdWallet,
  NOW,
  PASSWORD,
  PHRASE,
  SITE,
  startWallet,
} from '../wallet.fixture.ts'

const phone = { id: 'cGhvbmU', output: '11'.repeat(32) }
const ring = { id: 'cmluZw', output: '22'.repeat(32) }
const MINUTE = 60_000

const withPhone = async () => {
  const headless = await connectedWallet()
  await headless.wallet.ui.addPasskey({ ...phone, name: ' Phone ', password: PASSWORD })
  return headless
}

test('adding a passkey requires the password', async () => {
  const { wallet, store } = await createdWallet()
  const before = await store.local.get('vault')
  await expect(wallet.ui.confirmPassword({ password: 'wrong' })).rejects.toMatchObject({ reason: 'wrongPassword' })
  await expect(wallet.ui.addPasskey({ ...phone, name: 'Phone', password: 'wrong' })).rejects.toMatchObject({
    reason: 'wrongPassword',
  })
  expect(await store.local.get('vault')).toEqual(before)
  expect(await wallet.ui.confirmPassword({ password: PASSWORD })).toBeNull()
  await wallet.ui.addPasskey({ ...phone, name: ' Phone ', password: PASSWORD })
  expect(await wallet.ui.getPasskeys(null)).toEqual([{ id: phone.id, name: 'Phone', createdAt: NOW }])
})

test('a passkey unlocks the wallet as the password does', async () => {
  const { wallet, events, state } = await withPhone()
  expect(state()?.passkeys).toEqual([])
  await wallet.ui.lock(null)
  expect(state()).toMatchObject({ phase: 'locked', passkeys: [phone.id] })
  events.length = 0
  await wallet.ui.unlockWithPasskey(phone)
  expect(state()).toMatchObject({ phase: 'unlocked', passkeys: [] })
  expect(events).toEqual([{ event: 'accountsChanged', origin: SITE, data: [ADDRESS_LOWER] }])
})

test('a passkey that is unknown or has another key gives an error, and the password unlocks', async () => {
  const { wallet } = await withPhone()
  await wallet.ui.lock(null)
  for (const [used, reason] of [
    [ring, 'passkeyUnknown'],
    [{ ...phone, output: ring.output }, 'passkeyDamaged'],
  ] as const) {
    await expect(wallet.ui.unlockWithPasskey(used)).rejects.toMatchObject({ code: 4100, reason })
    expect((await wallet.ui.getState(null)).phase).toBe('locked')
  }
  await wallet.ui.unlock({ password: PASSWORD })
  expect((await wallet.ui.getState(null)).phase).toBe('unlocked')
})

test('data of another form is refused, and the error does not contain it', async () => {
  const { wallet } = await withPhone()
  await wallet.ui.lock(null)
  for (const [given, part] of [
    [{ ...phone, output: 'abcd'.repeat(8) }, 'abcd'],
    [{ ...phone, output: 'XYZ' }, 'XYZ'],
    [{ ...phone, id: 'no id' }, 'no id'],
    [{ ...phone, id: '' }, phone.output],
  ] as const) {
    const error = await wallet.ui.unlockWithPasskey(given).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: -32602, reason: 'passkeyForm' })
    expect(JSON.stringify([error, String(error)])).not.toContain(part)
  }
})

test('a passkey has a name, is added once, and a wallet has at most ten', async () => {
  const { wallet } = await withPhone()
  const add = (id: string, name: string) => wallet.ui.addPasskey({ id, output: ring.output, name, password: PASSWORD })
  for (const name of ['', ' ', 'x'.repeat(33)])
    await expect(add('new', name)).rejects.toMatchObject({ code: -32602, reason: 'passkeyNameLength' })
  await expect(add(phone.id, 'Again')).rejects.toMatchObject({ code: -32602, reason: 'passkeyExists' })
  for (let count = 1; count < 10; count++) await add(`key${count}`, `Key ${count}`)
  await expect(add('key10', 'Key 10')).rejects.toMatchObject({ code: -32005, reason: 'tooManyPasskeys' })
  expect(await wallet.ui.getPasskeys(null)).toHaveLength(10)
})

test('a removed passkey no longer unlocks; the other one and the password do', async () => {
  const { wallet, state } = await withPhone()
  await wallet.ui.addPasskey({ ...ring, name: 'Ring', password: PASSWORD })
  await expect(wallet.ui.removePasskey({ id: phone.id, password: 'wrong' })).rejects.toMatchObject({
    reason: 'wrongPassword',
  })
  await wallet.ui.removePasskey({ id: phone.id, password: PASSWORD })
  expect(state()?.phase).toBe('unlocked')
  expect(await wallet.ui.getPasskeys(null)).toMatchObject([{ name: 'Ring' }])
  await wallet.ui.lock(null)
  expect(state()?.passkeys).toEqual([ring.id])
  await expect(wallet.ui.unlockWithPasskey(phone)).rejects.toMatchObject({ reason: 'passkeyUnknown' })
  await wallet.ui.unlockWithPasskey(ring)
  await wallet.ui.lock(null)
  await wallet.ui.unlock({ password: PASSWORD })
})

test('a locked wallet lists no names of passkeys', async () => {
  const { wallet } = await withPhone()
  await wallet.ui.lock(null)
  await expect(wallet.ui.getPasskeys(null)).rejects.toMatchObject({ code: 4100 })
  expect(JSON.stringify(await wallet.ui.getState(null))).not.toContain('Phone')
})

test('a passkey reveals no phrase and removes no wallet: both require the password', async () => {
  const { wallet } = await withPhone()
  await wallet.ui.lock(null)
  await wallet.ui.unlockWithPasskey(phone)
  const phraseId = String((await wallet.ui.getState(null)).phrases[0]?.id)
  const wrong = { reason: 'wrongPassword' }
  await expect(wallet.ui.revealPhrase({ phraseId, password: phone.output })).rejects.toMatchObject(wrong)
  await expect(wallet.ui.removeWallet({ password: '' })).rejects.toMatchObject(wrong)
  expect((await wallet.ui.revealPhrase({ phraseId, password: PASSWORD })).phrase).toBe(PHRASE)
})

test('a new wallet has no passkey of the removed one', async () => {
  const { wallet, state } = await withPhone()
  await wallet.ui.removeWallet({ password: PASSWORD })
  await wallet.ui.createVault({ password: PASSWORD, phrase: PHRASE })
  expect(await wallet.ui.getPasskeys(null)).toEqual([])
  await wallet.ui.lock(null)
  expect(state()?.passkeys).toEqual([])
  await expect(wallet.ui.unlockWithPasskey(phone)).rejects.toMatchObject({ reason: 'passkeyUnknown' })
})

test('after a minute without use, the wallet locks, and the passkey unlocks it again', async () => {
  const { wallet, store } = await withPhone()
  await wallet.ui.setAutoLock({ minutes: 1 })
  const later = startWallet({ store, now: () => NOW + 2 * MINUTE })
  await later.wallet.resume()
  expect(await later.wallet.ui.getState(null)).toMatchObject({ phase: 'locked', passkeys: [phone.id] })
  await later.wallet.ui.unlockWithPasskey(phone)
  expect((await later.wallet.ui.getState(null)).phase).toBe('unlocked')
})
