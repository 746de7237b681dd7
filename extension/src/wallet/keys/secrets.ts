/** The contents of the vault, and the migration of older versions. */
import type { Address } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import { ACCOUNTS_PATH, type Derivation } from './derivation.ts'

/** A phrase and its accounts' path. `id` is random and reveals nothing about the phrase. */
export type Phrase = Derivation & { id: string }

/** Source of an account's key. For a watch-only account, the wallet has no key. */
export type KeySource =
  | { kind: 'phrase'; phraseId: string; index: number }
  | { kind: 'privateKey'; privateKey: Hex }
  | { kind: 'watchOnly' }

export type Account = { name: string; address: Address; hidden: boolean; source: KeySource }

/** Accounts are in the order in which they were added. */
export type Secrets = {
  version: 2
  phrases: readonly Phrase[]
  accounts: readonly Account[]
  /** Key that encrypts sealed cells, 32 bytes in hex. Created on first use. */
  stateKey?: string
  /**
   * Key that encrypts the settings, 32 bytes in hex. `adopts` is set until the first settings are sealed, and says
   * where to read them: the session, if they were chosen before there was a wallet, or an earlier version's plain text.
   */
  settings?: { key: string; adopts?: 'early' | 'plain' }
}

/** Version 1: phrases, each with accounts on the default path. */
type SecretsV1 = {
  version: 1
  keyrings: readonly { phrase: string; accounts: readonly { name: string; address: Address; index: number }[] }[]
}

export const SECRETS_VERSION = 2

const fromV1 = ({ keyrings }: SecretsV1): Secrets => {
  const withIds = keyrings.map((keyring, place) => ({ ...keyring, id: String(place) }))
  return {
    version: 2,
    phrases: withIds.map(({ id, phrase }) => ({ id, phrase, passphrase: '', path: ACCOUNTS_PATH })),
    accounts: withIds.flatMap(({ id, accounts }) =>
      accounts.map(({ name, address, index }) => ({
        name,
        address,
        hidden: false,
        source: { kind: 'phrase' as const, phraseId: id, index },
      })),
    ),
  }
}

/**
 * Migrates decrypted contents to the current version. Checks only the version, because decryption has authenticated the
 * contents.
 */
export const migrateSecrets = (sealed: { version: number }): Secrets =>
  sealed.version === 1 ? fromV1(sealed as SecretsV1) : (sealed as Secrets)
