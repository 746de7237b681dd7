/**
 * Requirements for passwords that protect keys (NIST SP 800-63B §3.1.1.2): a minimum length, and not a common password.
 */
import { rpcError } from '@heliograph/shared/errors'
import { foldPassword, MIN_PASSWORD_LENGTH } from './password-form.ts'

/** Loads the most common passwords of at least MIN_PASSWORD_LENGTH characters, normalized with `foldPassword`. */
export type CommonPasswords = () => Promise<readonly string[]>

const refuse = (reason: string, message: string) => rpcError('invalidParams', message, { reason })

/** Throws -32602 with the reason `short-password` or `common-password`. */
export const assertPassword = async (password: string, commonPasswords: CommonPasswords): Promise<void> => {
  if (password.length < MIN_PASSWORD_LENGTH)
    throw refuse('short-password', `The password needs at least ${MIN_PASSWORD_LENGTH} characters`)
  if ((await commonPasswords()).includes(foldPassword(password)))
    throw refuse(
      'common-password',
      'This password is one of the most common, so it is guessed first. Choose another, such as four unrelated words.',
    )
}
