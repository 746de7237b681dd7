/**
 * Moving an account, setting a network's RPC URL, imports of keys from every source, revealing a key, and changing the
 * password, by keyboard. The flows of the gate are in keyboard.test.ts.
 */
import { encryptKeystoreJsonSync, Wallet } from 'ethers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { INPUT_DEVICES, type InputDevice } from './input-devices.ts'
import { importWallet, PASSWORD, type Person, startPerson, useLocalChain } from './person.ts'
import { callWallet } from './wallet-page.ts'

/** The phrase, key and password that are imported. */
const OTHER_PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const TYPED = `0x${'11'.repeat(32)}`
const FILED = `0x${'22'.repeat(32)}`
const OTHER_PASSWORD = 'another horse in another stable'

let anvil: Anvil
let person: Person
let home: Page
let settings: Page

beforeAll(async () => {
  anvil = await startAnvil()
  person = await startPerson()
  home = await importWallet(person)
  await useLocalChain(home, anvil.url.replace('127.0.0.1', 'localhost'))
})

afterAll(async () => {
  await person?.leave()
  await anvil?.stop()
})

/** Moves the second of two accounts up in the open list: with Alt and an arrow key, or by its handle. */
const moveUp = {
  keyboard: async () => {
    await home.keyboard.press('Tab')
    await expect.poll(() => home.getByRole('option', { name: /^Second/ }).evaluate(isFocused)).toBe(true)
    await home.keyboard.press('Alt+ArrowUp')
  },
  mouse: async () => {
    const [target, handle] = await Promise.all(
      (await home.getByTitle(/^To change the order/).all()).map(one => one.boundingBox()),
    )
    if (!target || !handle) throw new Error('there are no two handles')
    await home.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2)
    await home.mouse.down()
    await home.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 3 })
    await home.mouse.up()
  },
}
const isFocused = (element: Element): boolean => element === document.activeElement

test.for(INPUT_DEVICES)(
  'by %s: an account is moved in the list, and is still there after a lock',
  async ([name, device]) => {
    await callWallet(home, 'addAccount', { name: 'Second' })
    const options = async () =>
      (await home.getByRole('option').allTextContents()).map(text => /^\s*(?:Second|Account 1)/.exec(text)?.[0].trim())
    await device.press(home, 'button', 'Switch account, Second')
    await home.getByRole('option', { name: /^Account 1.*ETH$/ }).waitFor()
    expect(await options()).toEqual(['Account 1', 'Second'])
    await moveUp[name]()
    await expect.poll(options).toEqual(['Second', 'Account 1'])
    await device.press(home, 'button', 'Lock')
    await device.write(home, 'Password', PASSWORD)
    await device.press(home, 'button', 'Unlock')
    await device.press(home, 'button', 'Switch account, Second')
    expect(await options()).toEqual(['Second', 'Account 1'])
    await device.close(home)
    await home.getByRole('dialog').waitFor({ state: 'detached' })
  },
)

test.for(INPUT_DEVICES)('by %s: the RPC URL of a network is set', async ([, device]) => {
  await device.press(home, 'button', /^Switch network, /)
  await device.press(home, 'button', 'Use another node')
  await device.write(home, 'Node URL', anvil.url)
  await device.press(home, 'button', 'Save')
  await home.getByRole('dialog').waitFor({ state: 'detached' })
  const { networks } = (await callWallet(home, 'getState', null)).result
  expect(networks.find(({ chainId }) => chainId === 31337)?.rpcUrls).toContain(`${anvil.url}/`)
})

test.for(INPUT_DEVICES)('by %s: a phrase, a key and a keystore file are imported', async ([, device]) => {
  settings = await person.open('settings.html')
  for (const source of ['Recovery phrase', 'Private key', 'Keystore file']) {
    await device.press(settings, 'link', 'Add account')
    await device.press(settings, 'tab', source)
    if (source === 'Recovery phrase')
      for (const [place, word] of OTHER_PHRASE.split(' ').entries())
        await device.write(settings, `Word ${place + 1}`, word)
    else if (source === 'Private key') await device.write(settings, 'Private key', TYPED)
    else await chooseKeystore(device, FILED)
    await device.press(settings, 'button', 'Import')
    await settings.getByRole('button', { name: 'Reveal private key', exact: true }).waitFor()
  }
  const rows = await settings.getByRole('navigation', { name: 'Accounts', exact: true }).getByRole('link').all()
  const keys = [Wallet.fromPhrase(OTHER_PHRASE).privateKey, TYPED, FILED]
  for (const [at, key] of keys.entries())
    expect(await rows[2 + at]?.textContent()).toContain(new Wallet(key).address.slice(0, 6))
})

const chooseKeystore = async (device: InputDevice, privateKey: string) => {
  const password = 'a password for the file only'
  const { address } = new Wallet(privateKey)
  const keystore = encryptKeystoreJsonSync({ address, privateKey }, password, { scrypt: { N: 1024 } })
  const file = { name: 'keystore.json', mimeType: 'application/json', buffer: Buffer.from(keystore) }
  await device.chooseFile(settings, 'Choose a keystore file', file)
  await device.write(settings, 'Keystore password', password)
}

test.for(INPUT_DEVICES)(
  'by %s: an account is added, its key is revealed, and the password changed in the settings',
  async ([, device]) => {
    await device.press(settings, 'link', 'Add account')
    await device.write(settings, 'Name of the new account', 'Another')
    await device.press(settings, 'button', 'Add account')
    await device.press(settings, 'button', 'Reveal private key')
    const dialog = settings.getByRole('dialog', { name: 'Reveal private key', exact: true })
    await device.write(dialog, 'Password', PASSWORD)
    await device.press(dialog, 'checkbox', /^I understand/)
    await device.dare(dialog, 'Reveal private key')
    await dialog.getByRole('button', { name: 'Hide private key', exact: true }).waitFor()
    expect(await dialog.textContent()).toMatch(/0x[\da-f]{64}/)
    await device.press(dialog, 'button', 'Hide private key')

    await device.press(settings, 'link', 'Security')
    await device.write(settings, 'Current password', PASSWORD)
    await device.write(settings, 'New password', OTHER_PASSWORD)
    await device.write(settings, 'Repeat new password', OTHER_PASSWORD)
    await device.press(settings, 'button', 'Change password')
    await settings.getByText('Password changed.', { exact: true }).waitFor()
  },
)
