/** Creates a wallet in the onboarding with an input device, as a user does. */
import type { Page } from 'playwright-core'
import type { InputDevice } from './input-devices.ts'
import { PASSWORD } from './person.ts'

export const choosePassword = async (
  device: InputDevice,
  page: Page,
  action: 'Continue' | 'Import wallet',
): Promise<void> => {
  await device.write(page, 'Password', PASSWORD)
  await device.write(page, 'Repeat password', PASSWORD)
  await device.press(page, 'checkbox', /^I understand/)
  await device.press(page, 'button', action)
}

/** Continues from the end of the setup to the wallet's home, without a node. */
export const openHome = async (device: InputDevice, page: Page): Promise<void> => {
  await device.press(page, 'button', 'Later')
  await device.press(page, 'button', 'Open wallet')
  await page.getByRole('button', { name: 'Switch account, Account 1', exact: true }).waitFor()
}

/** Creates a wallet: reads the phrase from the screen and confirms the requested words. */
export const createNewWallet = async (device: InputDevice, page: Page): Promise<void> => {
  await device.press(page, 'button', 'Create wallet')
  await choosePassword(device, page, 'Continue')
  await device.press(page, 'button', 'Reveal phrase')
  const rows = page.getByRole('list', { name: 'Recovery phrase', exact: true }).getByRole('listitem')
  const words = (await rows.allTextContents()).map(row => row.replace(/[^a-z]/g, ''))
  await device.press(page, 'checkbox', 'I have written down all 12 words in order.')
  await device.press(page, 'button', 'Continue')
  await page.getByRole('button', { name: 'Confirm phrase', exact: true }).waitFor()
  for (const [place, word] of words.entries())
    if (await page.getByLabel(`Word ${place + 1}`, { exact: true }).isVisible())
      await device.write(page, `Word ${place + 1}`, word)
  await device.press(page, 'button', 'Confirm phrase')
  await openHome(device, page)
}
