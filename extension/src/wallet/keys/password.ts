/**
 * Requirements for passwords that protect keys (NIST SP 800-63B §3.1.1.2): a minimum length, and not a common password.
 */

import { rpcError } from '../text/errors.ts'
import { foldPassword, MIN_PASSWORD_LENGTH } from './password-form.ts'

/** Loads the most common passwords of at least MIN_PASSWORD_LENGTH characters, normalized with `foldPassword`. */
export type CommonPasswords = () => Promise<readonly string[]>

/** Throws -32602 with the reason `shortPassword` or `commonPassword`. */
export const assertPassword = async (password: string, commonPasswords: CommonPasswords): Promise<void> => {
  if (password.length < MIN_PASSWORD_LENGTH)
    throw rpcError('invalidParams', 'shortPassword', { least: MIN_PASSWORD_LENGTH })
  if ((await commonPasswords()).includes(foldPassword(password))) throw rpcError('invalidParams', 'commonPassword')
}
