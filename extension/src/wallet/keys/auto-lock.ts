/** Locks the wallet when its pages have not been used for some minutes. */
import { createCell, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'

const DEFAULT_AUTO_LOCK = 15
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
