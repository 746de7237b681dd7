/** What the vault keeps sealed, and how older forms of it become the present one. */
import type { Address } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import { ACCOUNTS_PATH, type Derivation } from './derivation.ts'

/** A phrase with its accounts' path; `id` names it in the wallet and says nothing of it. */
export type Phrase = Derivation & { id: string }

/** Where the key of an account is: at a place of a phrase, by itself, or not in this wallet. */
export type KeySource =
  | { kind: 'phrase'; phraseId: string; index: number }
  | { kind: 'privateKey'; privateKey: Hex }
  | { kind: 'watchOnly' }

export type Account = { name: string; address: Address; hidden: boolean; source: KeySource }

/** Accounts stand in the order in which they came. */
export type Secrets = {
  version: 2
  phrases: readonly Phrase[]
  accounts: readonly Account[]
  /** Seals what the wallet keeps beside the vault: 32 bytes in hex, made when they are first needed. */
  stateKey?: string
  /**
   * Seals the settings: 32 bytes in hex. `adopts` says where the first ones come from, until they are sealed: from before
   * there was a wallet, or from a version that kept them in plain text.
   */
  settings?: { key: string; adopts?: 'early' | 'plain' }
}

/** One phrase after the other, each with the accounts found on the usual path. */
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

/** Brings what was sealed to the present form. What authenticated was written by a wallet, so only its version is asked. */
export const migrateSecrets = (sealed: { version: number }): Secrets =>
  sealed.version === 1 ? fromV1(sealed as SecretsV1) : (sealed as Secrets)
