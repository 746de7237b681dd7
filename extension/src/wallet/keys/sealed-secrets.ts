/** The wallet's secrets in the vault's file: encrypted with the vault's key, which is wrapped for each passkey in them. */
import { passkeysOf } from './passkey-changes.ts'
import { wrapsFor } from './passkey-wraps.ts'
import {
  type Kdf,
  migrateSecrets,
  openVault,
  SECRETS_VERSION,
  type Secrets,
  sealVault,
  VaultError,
  type VaultFile,
} from './vault-file.ts'

/** Decrypts the secrets. `isCurrent` is false if they were migrated. Throws VaultError. */
export const openSecrets = (file: VaultFile, key: Uint8Array): { secrets: Secrets; isCurrent: boolean } => {
  const sealed = openVault(file, key) as { version: number }
  if (sealed.version > SECRETS_VERSION) throw new VaultError('vaultNewer')
  return { secrets: migrateSecrets(sealed), isCurrent: sealed.version === SECRETS_VERSION }
}

/**
 * Decrypts the secrets with the key from a passkey's wrap. The wrap has authenticated the key, so a file that the key
 * does not open is damaged. Throws VaultError.
 */
export const openWithWrappedKey = (file: VaultFile, key: Uint8Array): Secrets => {
  try {
    return openSecrets(file, key).secrets
  } catch (error) {
    throw error instanceof VaultError && error.reason === 'wrongPassword' ? new VaultError('vaultCorrupted') : error
  }
}

/** Encrypts the secrets, and wraps the key for each of their passkeys. */
export const sealSecrets = (secrets: Secrets, key: Uint8Array, kdf: Kdf): VaultFile => {
  const passkeys = wrapsFor(passkeysOf(secrets), key, kdf.salt)
  return { ...sealVault(secrets, key, kdf), ...(passkeys.length > 0 && { passkeys }) }
}

/** True if the file has exactly the wraps that `sealSecrets` adds. Another program could remove or change them. */
export const hasAllWraps = ({ passkeys = [], kdf }: VaultFile, secrets: Secrets, key: Uint8Array): boolean =>
  JSON.stringify(passkeys) === JSON.stringify(wrapsFor(passkeysOf(secrets), key, kdf.salt))
