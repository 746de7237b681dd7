/**
 * Passkeys in the wallet's pages. In Chromium, virtual authenticators with and without PRF. Firefox refuses WebAuthn to
 * pages of extensions, so the wallet does not offer it there.
 */
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importWallet, isFirefox, lastAct, PASSWORD, type Person, startPerson } from './person.ts'
import { callWallet } from './wallet-page.ts'

let person: Person
let page: Page

beforeAll(async () => {
  person = await startPerson()
  page = await importWallet(person)
  await page.goto(new URL('settings.html#security', page.url()).href)
})

afterAll(() => person?.leave())

const button = (name: string, on: Page = page) => on.getByRole('button', { name, exact: true })
const passkeys = () => page.getByRole('region', { name: 'Passkeys', exact: true })
const lock = async () => {
  await callWallet(page, 'lock', null)
  await button('Unlock').waitFor()
}
const unlocked = () => page.getByRole('heading', { name: 'Security', exact: true }).waitFor()
const unlockWithPassword = async () => {
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button('Unlock').click()
  await unlocked()
}

type Authenticator = { id: string; session: CDPSession }

/** Gives the page an authenticator that verifies its user without asking. */
const plugIn = async (hasPrf: boolean): Promise<Authenticator> => {
  const session = await person.context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId: id } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf,
    },
  })
  return { id, session }
}
const unplug = async ({ id, session }: Authenticator) => {
  await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: id })
  await session.detach()
}
const credentialsOn = async ({ id, session }: Authenticator) =>
  (await session.send('WebAuthn.getCredentials', { authenticatorId: id })).credentials

const add = async (name: string) => {
  await button('Add passkey').click()
  await page.getByLabel('Passkey name', { exact: true }).fill(name)
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button('Continue').click()
}

if (isFirefox)
  test('the settings of Firefox, whose extensions cannot use passkeys, do not offer them', async () => {
    expect(await page.evaluate(() => 'PublicKeyCredential' in globalThis)).toBe(true)
    await page.getByRole('heading', { name: 'Change password', exact: true }).waitFor()
    const refused = await page.evaluate(() =>
      navigator.credentials
        .create({
          publicKey: {
            rp: { name: 'test' },
            user: { id: new Uint8Array(16), name: 'test', displayName: 'test' },
            challenge: new Uint8Array(16),
            pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          },
        })
        .catch(error => error.name),
    )
    expect(refused).toBe('SecurityError')
    // The settings have made the same two calls before, so they know by now what the browser offers.
    await callWallet(page, 'getPasskeys', null)
    await page.evaluate(async () => void (await PublicKeyCredential.getClientCapabilities()))
    expect(await passkeys().count()).toBe(0)
    expect(await button('Add passkey').count()).toBe(0)
  })
else {
  let phone: Authenticator

  test('a passkey is added with the password, and unlocks the wallet, also after the worker stopped', async () => {
    phone = await plugIn(true)
    await add('Phone')
    await passkeys().getByText('Phone', { exact: true }).waitFor()
    await lock()
    await button('Unlock with a passkey').click()
    await unlocked()
    await lock()
    await person.killWorker()
    await button('Unlock with a passkey').click()
    await unlocked()
  })

  test('an authenticator without PRF cannot be added, and the wallet says so', async () => {
    await unplug(phone)
    const old = await plugIn(false)
    await add('Old key')
    await page.getByText(/does not derive keys \(PRF\)/).waitFor()
    await button('Cancel').click()
    expect(await passkeys().getByText('Old key').count()).toBe(0)
    expect((await callWallet(page, 'getPasskeys', null)).result).toMatchObject([{ name: 'Phone' }])
    await unplug(old)
  })

  test('if the passkey is lost, the wallet says so, and the password unlocks', async () => {
    const other = await plugIn(true)
    await lock()
    await button('Unlock with a passkey').click()
    await page.getByText('No passkey was used. Try again, or use the password.', { exact: true }).waitFor()
    await unlockWithPassword()
    await unplug(other)
  })

  test('a removed passkey is not offered, although the device still has it', async () => {
    const device = await plugIn(true)
    await add('Tablet')
    await button('Remove “Phone”').click()
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD)
    await button('Remove').click()
    await button('Remove “Phone”').waitFor({ state: 'detached' })
    await lock()
    await button('Unlock with a passkey').click()
    await unlocked()
    await button('Remove “Tablet”').click()
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD)
    await button('Remove').click()
    await button('Remove “Tablet”').waitFor({ state: 'detached' })
    expect(await credentialsOn(device)).toHaveLength(1)
    await lock()
    expect(await button('Unlock with a passkey').count()).toBe(0)
    await unlockWithPassword()
    await unplug(device)
  })

  test('the popup opens a tab, which asks for the passkey by itself and closes after the unlock', async () => {
    await plugIn(true)
    await add('Laptop')
    await passkeys().getByText('Laptop', { exact: true }).waitFor()
    await lock()
    const popup = await person.open('popup.html')
    const opened = person.context.waitForEvent('page')
    await button('Unlock with a passkey', popup).click()
    const tab = await opened
    expect(new URL(tab.url()).pathname).toBe('/popup.html')
    await tab.close()
    // The virtual authenticator belongs to the first page, so that page takes the tab's place.
    const closed = page.waitForEvent('close')
    await lastAct(page, async () => void (await page.goto(new URL('popup.html#passkey', page.url()).href)))
    await closed
    const home = await person.open('popup.html')
    await button('Switch account, Account 1', home).waitFor()
  })
}
