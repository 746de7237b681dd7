/**
 * The vault: secrets on disk under a password. The derived key of an open vault lives in the session store alone,
 * so a restart of the worker does not lock it and removing that one value does.
 */
import { rpcError } from '@heliograph/shared/errors'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Secrets } from './keyring.ts'
import type { Stores } from './store.ts'
import { createTurns } from './turns.ts'
import { deriveKey, KDF_COST, type KdfCost, newKdf, openVault, parseVaultFile, sealVault } from './vault-file.ts'

export type VaultPhase = 'empty' | 'locked' | 'unlocked'

export type Vault = {
  phase(): Promise<VaultPhase>
  /** Writes the first vault and opens it. Throws -32600 when there is one already. */
  create(password: string, secrets: Secrets): Promise<void>
  /** Throws VaultError: wrong password, damaged file, unacceptable cost. */
  unlock(password: string): Promise<void>
  lock(): Promise<void>
  /** Throws 4100 while locked. */
  read(): Promise<Secrets>
  update(change: (secrets: Secrets) => Secrets): Promise<Secrets>
}

const FILE = 'vault'
/** The file before the last write, kept so that a write that goes wrong loses nothing. */
const PREVIOUS_FILE = 'vault-previous'
const KEY = 'vault-key'

export const MIN_PASSWORD_LENGTH = 8

export const createVault = ({ local, session }: Stores, cost: KdfCost = KDF_COST): Vault => {
  const inTurn = createTurns()

  const load = async () => parseVaultFile(await local.get(FILE), cost)

  const openKey = async () => {
    const key = await session.get(KEY)
    if (typeof key !== 'string') throw rpcError('unauthorized', 'The wallet is locked')
    return hexToBytes(key)
  }

  const read = async () => {
    const key = await openKey()
    return openVault(await load(), key) as Secrets
  }

  const phase = async (): Promise<VaultPhase> => {
    if ((await local.get(FILE)) === undefined) return 'empty'
    return (await session.get(KEY)) === undefined ? 'locked' : 'unlocked'
  }

  return {
    phase,
    read,
    create: (password, secrets) =>
      inTurn(async () => {
        if ((await phase()) !== 'empty') throw rpcError('invalidRequest', 'There is a wallet already')
        if (password.length < MIN_PASSWORD_LENGTH)
          throw rpcError('invalidParams', `The password needs at least ${MIN_PASSWORD_LENGTH} characters`)
        const kdf = newKdf(cost)
        const key = await deriveKey(password, kdf)
        await local.set(FILE, sealVault(secrets, key, kdf))
        await session.set(KEY, bytesToHex(key))
      }),
    unlock: async password => {
      const file = await load()
      const key = await deriveKey(password, file.kdf)
      openVault(file, key)
      await session.set(KEY, bytesToHex(key))
    },
    lock: () => session.remove(KEY),
    update: change =>
      inTurn(async () => {
        const key = await openKey()
        const file = await load()
        const secrets = change(openVault(file, key) as Secrets)
        await local.set(PREVIOUS_FILE, file)
        await local.set(FILE, sealVault(secrets, key, file.kdf))
        return secrets
      }),
  }
}
