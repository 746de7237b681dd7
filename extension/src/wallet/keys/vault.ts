/**
 * The wallet's secrets, encrypted with a password. Passkeys can open them too. An unlocked vault's derived key is only in
 * the session: it keeps the vault unlocked when the worker restarts, and removing it locks the vault.
 */
import { RpcError } from '@heliograph/shared/errors'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { REMOVING } from '../storage/registry.ts'
import type { Stores } from '../storage/store.ts'
import { report, rpcError } from '../text/errors.ts'
import { createSerialQueue } from '../work/turns.ts'
import { passkeysOf } from './passkey-changes.ts'
import { keyFrom, type PasskeyProof } from './passkey-wraps.ts'
import { assertPassword, type CommonPasswords } from './password.ts'
import { hasAllWraps, openSecrets, openWithWrappedKey, sealSecrets } from './sealed-secrets.ts'
import {
  deriveKey,
  isOutdated,
  KDF_COST,
  type KdfCost,
  newKdf,
  parseVaultFile,
  type Secrets,
  VaultError,
  type VaultFile,
} from './vault-file.ts'

export type VaultPhase = 'empty' | 'locked' | 'unlocked'

export type Vault = {
  phase(): Promise<VaultPhase>
  /**
   * Returns a counter that increases after every operation that may change the phase. Callers cache the phase until it
   * increases.
   */
  changes(): number
  /** Writes the first vault and unlocks it. Throws -32600 if a vault already exists, and the errors of `assertPassword`. */
  create(password: string, secrets: Secrets): Promise<void>
  /** Unlocks the vault. Rewrites it if it has an older version or a lower cost. Throws VaultError. */
  unlock(password: string): Promise<void>
  /** Returns the credential ids of the passkeys that unlock the vault. Empty if the file cannot be read. */
  passkeys(): Promise<readonly string[]>
  /** Unlocks the vault with a passkey. Throws VaultError, or 4100 if the vault does not open with the passkey. */
  unlockWithPasskey(proof: PasskeyProof): Promise<void>
  lock(): Promise<void>
  /** Returns the secrets. Throws 4100 while locked, VaultError if the file is damaged. */
  read(): Promise<Secrets>
  /** Like `read`, but returns null where `read` throws. */
  peek(): Promise<Secrets | null>
  /**
   * Returns the secrets if the password is correct. Must be called before revealing a secret. Throws VaultError, or
   * 4100 while locked.
   */
  confirm(password: string): Promise<Secrets>
  /**
   * Replaces the secrets with the result of `change`. Throws 4100 while locked, and any error thrown by `change`; then
   * nothing is written.
   */
  update(change: (secrets: Secrets) => Secrets | Promise<Secrets>): Promise<Secrets>
  /**
   * Like `update`, and encrypts the result with a new key, derived from the same password. Keys of removed passkeys then
   * open neither the file nor its copy. Throws VaultError if the password is wrong.
   */
  rekey(password: string, change: (secrets: Secrets) => Secrets): Promise<void>
  /**
   * Passkeys stay. Throws VaultError if the old password is wrong, 4100 while locked, and the errors of
   * `assertPassword`.
   */
  changePassword(password: string, newPassword: string): Promise<void>
  /**
   * Deletes the vault and its copies, and marks the session: the caller must delete all other wallet data. Throws
   * VaultError if the password is wrong, 4100 while locked.
   */
  erase(password: string): Promise<void>
  /** Replaces a damaged file with the last good copy and unlocks it. Keeps the damaged file. Throws VaultError. */
  restore(password: string): Promise<void>
}

const FILE = 'vault'
/** Storage name of the file before the last write, in case a write fails. */
const PREVIOUS_FILE = 'vault-previous'
/** Storage name of a damaged file that was replaced with the copy. */
const DAMAGED_FILE = 'vault-damaged'
const KEY = 'vault-key'

export const createVault = (
  { local, session }: Stores,
  commonPasswords: CommonPasswords,
  cost: KdfCost = KDF_COST,
): Vault => {
  const inTurn = createSerialQueue()
  let changes = 0

  /** Runs an operation that may change the phase. */
  const changing = async (work: () => Promise<void>): Promise<void> => {
    try {
      await inTurn(work)
    } finally {
      changes++
    }
  }

  const load = async () => parseVaultFile(await local.get(FILE), cost)

  /** Calls `use` with the unlocked vault's key. */
  const withKey = async <T>(use: (key: Uint8Array) => Promise<T>): Promise<T> => {
    const digits = await session.get(KEY)
    if (typeof digits !== 'string') throw rpcError('unauthorized', 'locked')
    const key = hexToBytes(digits)
    try {
      return await use(key)
    } finally {
      key.fill(0)
    }
  }

  /** Calls `use` with the key derived from a password. */
  const withPassword = async <T>(
    password: string,
    { kdf }: Pick<VaultFile, 'kdf'>,
    use: (key: Uint8Array) => Promise<T>,
  ): Promise<T> => {
    const key = await deriveKey(password, kdf)
    try {
      return await use(key)
    } finally {
      key.fill(0)
    }
  }

  const keepKey = (key: Uint8Array) => session.set(KEY, bytesToHex(key))

  /** Writes the new file. Keeps the old file as a copy until the next write. */
  const replace = async (old: VaultFile, fresh: VaultFile) => {
    await local.set(PREVIOUS_FILE, old)
    await local.set(FILE, fresh)
  }

  /** Writes the vault with a new key and unlocks it. Replaces the copy too, so the old password opens neither file. */
  const rewrite = async (old: VaultFile, secrets: Secrets, password: string) => {
    const kdf = newKdf(cost)
    await withPassword(password, { kdf }, async key => {
      const fresh = sealSecrets(secrets, key, kdf)
      // Locks the vault during the write: the key in the session must belong to the current file.
      await session.remove(KEY)
      await replace(old, fresh)
      await local.set(PREVIOUS_FILE, fresh)
      await keepKey(key)
    })
  }

  /** Replaces changed wraps. Only reports a failure, because the vault opens without them. */
  const repairWraps = async (file: VaultFile, secrets: Secrets, key: Uint8Array) => {
    if (hasAllWraps(file, secrets, key)) return
    await replace(file, sealSecrets(secrets, key, file.kdf)).catch(report)
  }

  /** Encrypts the changed secrets with a new key. */
  const renew = async (password: string, newPassword: string, change: (secrets: Secrets) => Secrets) => {
    const file = await load()
    const secrets = await withPassword(password, file, async key => openSecrets(file, key).secrets)
    await rewrite(file, change(secrets), newPassword)
  }

  const phase = async (): Promise<VaultPhase> => {
    if ((await local.get(FILE)) === undefined && (await local.get(PREVIOUS_FILE)) === undefined) return 'empty'
    return (await session.get(KEY)) === undefined ? 'locked' : 'unlocked'
  }

  const assertUnlocked = async () => {
    if ((await phase()) !== 'unlocked') throw rpcError('unauthorized', 'locked')
  }

  const read = () => inTurn(() => withKey(async key => openSecrets(await load(), key).secrets))

  return {
    phase,
    changes: () => changes,
    read,
    peek: () =>
      read().catch(error => {
        if (error instanceof RpcError) return null
        throw error
      }),
    create: (password, secrets) =>
      changing(async () => {
        if ((await phase()) !== 'empty') throw rpcError('invalidRequest', 'walletExists')
        await assertPassword(password, commonPasswords)
        const kdf = newKdf(cost)
        await withPassword(password, { kdf }, async key => {
          const file = sealSecrets(secrets, key, kdf)
          await replace(file, file)
          await keepKey(key)
        })
      }),
    unlock: password =>
      changing(async () => {
        const file = await load()
        await withPassword(password, file, async key => {
          const { secrets, isCurrent } = openSecrets(file, key)
          if (isOutdated(file.kdf, cost)) return rewrite(file, secrets, password)
          if (!isCurrent) await replace(file, sealSecrets(secrets, key, file.kdf))
          else await repairWraps(file, secrets, key)
          await keepKey(key)
        })
      }),
    passkeys: () =>
      load().then(
        ({ passkeys = [] }) => passkeys.map(({ credentialId }) => credentialId),
        () => [],
      ),
    unlockWithPasskey: proof =>
      changing(async () => {
        const file = await load()
        const key = keyFrom(file.passkeys ?? [], proof, file.kdf.salt)
        try {
          const secrets = openWithWrappedKey(file, key)
          // A program that writes to the disk can put back the wrap of a passkey that was removed.
          if (!passkeysOf(secrets).some(({ id }) => id === proof.id)) throw rpcError('unauthorized', 'passkeyUnknown')
          await repairWraps(file, secrets, key)
          await keepKey(key)
        } finally {
          key.fill(0)
        }
      }),
    lock: () => changing(() => session.remove(KEY)),
    confirm: async password => {
      await assertUnlocked()
      const file = await load()
      const secrets = await withPassword(password, file, async key => openSecrets(file, key).secrets)
      // The vault may have been locked in the meantime, so this checks before returning the secrets.
      await assertUnlocked()
      return secrets
    },
    update: change =>
      inTurn(() =>
        withKey(async key => {
          const file = await load()
          const secrets = await change(openSecrets(file, key).secrets)
          await replace(file, sealSecrets(secrets, key, file.kdf))
          return secrets
        }),
      ),
    rekey: (password, change) =>
      changing(async () => {
        await assertUnlocked()
        await renew(password, password, change)
      }),
    changePassword: (password, newPassword) =>
      changing(async () => {
        await assertUnlocked()
        await assertPassword(newPassword, commonPasswords)
        await renew(password, newPassword, secrets => secrets)
      }),
    erase: password =>
      changing(async () => {
        await assertUnlocked()
        const file = await load()
        await withPassword(password, file, async key => openSecrets(file, key))
        await session.set(REMOVING, true)
        for (const name of [PREVIOUS_FILE, DAMAGED_FILE, FILE]) await local.remove(name)
        await session.remove(KEY)
      }),
    restore: password =>
      changing(async () => {
        const damaged = await local.get(FILE)
        if (isWhole(damaged, cost)) throw rpcError('invalidRequest', 'vaultIntact')
        const copy = parseVaultFile(await local.get(PREVIOUS_FILE), cost)
        await withPassword(password, copy, async key => {
          openSecrets(copy, key)
          await local.set(DAMAGED_FILE, damaged ?? null)
          await local.set(FILE, copy)
          await keepKey(key)
        })
      }),
  }
}

const isWhole = (stored: unknown, cost: KdfCost): boolean => {
  try {
    parseVaultFile(stored, cost)
    return true
  } catch (error) {
    return !(error instanceof VaultError && (error.reason === 'vaultTruncated' || error.reason === 'vaultCorrupted'))
  }
}
