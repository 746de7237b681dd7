/** Changes to the list of passkeys. Each returns new secrets, or throws and leaves the old ones unchanged. */
import { rpcError } from '../text/errors.ts'
import { MAX_PASSKEYS, type Passkey } from './passkey-wraps.ts'
import type { Secrets } from './vault-file.ts'

const MAX_NAME = 32

/** Validates a passkey's name. Throws -32602. */
export const toPasskeyName = (text: string): string => {
  const name = text.trim()
  if (name === '' || name.length > MAX_NAME) throw rpcError('invalidParams', 'passkeyNameLength', { most: MAX_NAME })
  return name
}

export const passkeysOf = ({ passkeys = [] }: Secrets): readonly Passkey[] => passkeys

/** Adds a passkey. Throws -32602 if the wallet already has it, -32005 if it has too many. */
export const withPasskey = (secrets: Secrets, added: Passkey): Secrets => {
  const passkeys = passkeysOf(secrets)
  if (passkeys.some(({ id }) => id === added.id)) throw rpcError('invalidParams', 'passkeyExists')
  if (passkeys.length >= MAX_PASSKEYS) throw rpcError('limitExceeded', 'tooManyPasskeys', { limit: MAX_PASSKEYS })
  return { ...secrets, passkeys: [...passkeys, added] }
}

/** Removes a passkey. Throws -32602 if the wallet does not have it. */
export const withoutPasskey = (secrets: Secrets, id: string): Secrets => {
  const passkeys = passkeysOf(secrets)
  const left = passkeys.filter(passkey => passkey.id !== id)
  if (left.length === passkeys.length) throw rpcError('invalidParams', 'passkeyGone')
  return { ...secrets, passkeys: left }
}
