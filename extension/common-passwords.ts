/** The list of common passwords that the build puts beside the scripts. */
import { dictionary } from '@zxcvbn-ts/language-common'
import { foldPassword, MIN_PASSWORD_LENGTH } from './src/wallet/keys/password-form.ts'

/** As many as any list calls common. Shorter ones than the wallet takes need no listing. */
const COUNT = 10_000

export const commonPasswords = (): readonly string[] => {
  const passwords: readonly string[] = dictionary['passwords-common']
  const long = passwords.map(foldPassword).filter(password => password.length >= MIN_PASSWORD_LENGTH)
  return [...new Set(long)].slice(0, COUNT)
}
