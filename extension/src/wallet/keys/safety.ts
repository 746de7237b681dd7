/**
 * The user's safety settings, and the auto-lock, which locks the wallet when its pages have not been used for some
 * minutes.
 */
import type { SafetyView } from '../../messages.ts'
import { createCell, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'
import type { Vault } from './vault.ts'

/** Settings of a new wallet. */
export const DEFAULT_SAFETY: SafetyView = {
  asksPassword: false,
  allowsUnreadable: true,
  allowsForeignSignIn: false,
  readsOffchainNames: false,
}

/** Used until the user's settings are known. */
export const STRICT_SAFETY: SafetyView = {
  asksPassword: true,
  allowsUnreadable: false,
  allowsForeignSignIn: false,
  readsOffchainNames: false,
}

export type Safety = {
  read(): Promise<SafetyView>
  /** Changes settings. Throws like `assertPassword`, because a change could otherwise bypass the password. */
  change(change: Partial<SafetyView> & { password?: string }): Promise<void>
  /** Throws VaultError if the user requires the password and it is missing or wrong. */
  assertPassword(password?: string): Promise<void>
}

export const createSafety = (store: Store, vault: Vault): Safety => {
  const cell = createCell<Partial<SafetyView>>(store, 'safety', DEFAULT_SAFETY)
  const read = async (): Promise<SafetyView> => ({ ...DEFAULT_SAFETY, ...(await cell.read()) })

  const assertPassword: Safety['assertPassword'] = async (password = '') => {
    if ((await read()).asksPassword) await vault.confirm(password)
  }

  return {
    read,
    change: async ({ password, ...change }) => {
      await assertPassword(password)
      await cell.update(before => ({ ...before, ...change }))
    },
    assertPassword,
  }
}

/** Minutes until a new wallet locks. */
export const DEFAULT_AUTO_LOCK = 15
const MIN_AUTO_LOCK = 1
export const MAX_AUTO_LOCK = 24 * 60

const MINUTE = 60_000
const LOCK_AT = 'lock-at'

export type AutoLock = {
  minutes(): Promise<number>
  /** Throws -32602 if `minutes` is not an integer within the bounds. */
  setMinutes(minutes: number): Promise<void>
  /** Records a user action. Restarts the countdown. */
  used(): Promise<void>
  /** Cancels the alarm. Called when there is no wallet to lock. */
  stop(): void
  /**
   * Returns true, once, if the time has passed and the wallet is not locked yet. Otherwise restores the alarm, which
   * may have been lost with the worker.
   */
  isOverdue(): Promise<boolean>
}

export type AutoLockParts = {
  settings: Store
  session: Store
  now(): number
  /** Sets the alarm to a Unix time in ms, replacing the previous one. Null cancels it. */
  lockAt(time: number | null): void
}

export const createAutoLock = ({ settings, session, now, lockAt }: AutoLockParts): AutoLock => {
  const cell = createCell<number>(settings, 'auto-lock', DEFAULT_AUTO_LOCK)

  const used = async () => {
    const time = now() + (await cell.read()) * MINUTE
    await session.set(LOCK_AT, time)
    lockAt(time)
  }

  return {
    minutes: cell.read,
    setMinutes: async minutes => {
      if (!Number.isInteger(minutes) || minutes < MIN_AUTO_LOCK || minutes > MAX_AUTO_LOCK)
        throw rpcError('invalidParams', 'autoLockRange', { least: MIN_AUTO_LOCK, most: MAX_AUTO_LOCK })
      await cell.update(() => minutes)
      await used()
    },
    used,
    stop: () => lockAt(null),
    isOverdue: async () => {
      const time = await session.get(LOCK_AT)
      if (typeof time !== 'number') return false
      if (time > now()) {
        lockAt(time)
        return false
      }
      await session.remove(LOCK_AT)
      return true
    },
  }
}
