/** Creates the list of common passwords, which the build writes to a file. */
import { dictionary } from '@zxcvbn-ts/language-common'
import { foldPassword, MIN_PASSWORD_LENGTH } from './src/wallet/keys/password-form.ts'

/** Number of passwords in the list. Passwords that are too short for the wallet anyway are left out. */
const COUNT = 10_000

export const commonPasswords = (): readonly string[] => {
  const passwords: readonly string[] = dictionary['passwords-common']
  const long = passwords.map(foldPassword).filter(password => password.length >= MIN_PASSWORD_LENGTH)
  return [...new Set(long)].slice(0, COUNT)
}
