/** A backup file: saved on the settings page, restored by the onboarding of an empty wallet, and again in its settings. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type InputDevice, keyboard, mouse } from './input-devices.ts'
import { choosePassword } from './onboarding.ts'
import { ADDRESS, PASSWORD, type Person, PHRASE, startPerson } from './person.ts'
import { callWallet } from './wallet-page.ts'

const FILE_PASSWORD = 'four unrelated words here'
const MIRA = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
const HARBOR = {
  chainId: 4242,
  title: 'Harbor Testnet',
  symbol: 'HBR',
  explorerUrl: '',
  prefix: 'eth',
  signedMessageName: 'Ethereum',
  testnet: true,
  rpcUrls: [],
}

let person: Person

beforeAll(async () => {
  person = await startPerson()
})
afterAll(async () => {
  await person?.leave()
})

const stateOf = async (page: Page) => (await callWallet(page, 'getState', null)).result

const fill = async () => {
  const home = await person.open('onboarding.html')
  await callWallet(home, 'createVault', { password: PASSWORD, phrase: PHRASE, name: 'Main' })
  await callWallet(home, 'addAccount', { name: 'Savings' })
  await callWallet(home, 'saveContact', { address: MIRA, name: 'Mira' })
  await callWallet(home, 'saveNetwork', HARBOR)
  await callWallet(home, 'setAutoLock', { minutes: 5 })
  await home.close()
}

/** Saves a backup with keys, and returns the file that the browser downloads. */
const save = async (device: InputDevice, settings: Page): Promise<{ name: string; text: string }> => {
  await device.press(settings, 'link', 'Backup')
  await device.write(settings, 'Password of the backup', FILE_PASSWORD)
  await device.write(settings, 'Repeat password of the backup', FILE_PASSWORD)
  await device.press(settings, 'checkbox', /^Include keys/)
  await device.write(settings, 'Password of this wallet', `${PASSWORD}!`)
  await device.press(settings, 'button', 'Save a backup file')
  await settings.getByText('The password is incorrect.', { exact: true }).waitFor()
  await device.write(settings, 'Password of this wallet', PASSWORD)
  const [download] = await Promise.all([
    settings.waitForEvent('download'),
    device.press(settings, 'button', 'Save a backup file'),
  ])
  await settings.getByText(`Saved as ${download.suggestedFilename()}`, { exact: true }).waitFor()
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

const fileOf = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })

test('a wallet is saved by keyboard, and starts again from the file on a browser without one', async () => {
  await fill()
  const settings = await person.open('settings.html')
  const { name, text } = await save(keyboard, settings)
  expect(name).toMatch(/^heliograph-backup-\d{4}-\d\d-\d\d\.json$/)
  for (const plain of ['Mira', MIRA.slice(2), ADDRESS.slice(2), 'Harbor', PHRASE]) expect(text).not.toContain(plain)

  await person.leave()
  person = await startPerson()
  const page = await person.open('onboarding.html')
  await keyboard.press(page, 'button', 'Import wallet')
  await keyboard.press(page, 'button', 'Restore from a backup file')
  await keyboard.chooseFile(page, 'Choose a backup file', fileOf(name, text))
  await keyboard.write(page, 'Password of the backup', 'another password')
  await keyboard.press(page, 'button', 'Open backup')
  await page.getByText(/^The password of the backup file is incorrect\./).waitFor()
  await keyboard.write(page, 'Password of the backup', FILE_PASSWORD)
  await keyboard.press(page, 'button', 'Open backup')
  await choosePassword(keyboard, page, 'Import wallet')
  await page.getByRole('heading', { name: 'Choose what to restore', exact: true }).waitFor()
  expect((await stateOf(page)).accounts).toMatchObject([{ address: ADDRESS, name: 'Main' }])
  await page.getByRole('checkbox', { name: 'Mira', exact: true }).waitFor()
  await keyboard.press(page, 'button', /^Import \(\d+\)$/)
  await page.getByRole('button', { name: 'Later', exact: true }).waitFor()
  const { accounts, contacts, networks, autoLockMinutes } = await stateOf(page)
  expect(accounts.map(account => [account.name, account.kind])).toEqual([
    ['Main', 'phrase'],
    ['Savings', 'phrase'],
  ])
  expect(contacts).toMatchObject([{ address: MIRA, name: 'Mira' }])
  expect(networks.find(({ chainId }) => chainId === HARBOR.chainId)).toMatchObject({ title: HARBOR.title })
  expect(autoLockMinutes).toBe(5)
  await page.close()

  const again = await person.open('settings.html')
  await mouse.press(again, 'link', 'Backup')
  await mouse.chooseFile(again, 'Choose a backup file', fileOf(name, text.slice(0, -20)))
  await again.getByText(/^The backup file is incomplete/).waitFor()
  await mouse.chooseFile(
    again,
    'Choose a backup file',
    fileOf('MetaMaskUserData.json', '{"addressBook":{"addressBook":{}}}'),
  )
  await again.getByText(/not a backup/).waitFor()
  await mouse.chooseFile(again, 'Choose a backup file', fileOf(name, text))
  await mouse.write(again, 'Password of the backup', FILE_PASSWORD)
  await mouse.press(again, 'button', 'Open backup')
  await again.getByText('Nothing here is new.', { exact: true }).waitFor()
  await mouse.press(again, 'button', 'Cancel')
})
