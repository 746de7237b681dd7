/** The most common passwords, from a file in the extension that is read when a password is chosen. */
import type { CommonPasswords } from '../wallet/keys/password.ts'
import browser from './api.ts'

export const commonPasswords: CommonPasswords = async () => {
  const response = await fetch(browser.runtime.getURL('common-passwords.txt'))
  return (await response.text()).split('\n')
}
