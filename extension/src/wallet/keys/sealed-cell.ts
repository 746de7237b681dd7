/**
 * A stored value that is encrypted with a key in the vault, so it is readable only while the wallet is unlocked. It has
 * its own file, because it changes often and the vault should not.
 */

import type { Store } from '../storage/store.ts'
import { createSerialQueue } from '../work/serial-queue.ts'
import { newSealingKey, openSealed, seal } from './sealing.ts'
import type { Vault } from './vault.ts'

export type SealedCell<T> = {
  /** Null while the wallet is locked. */
  read(): Promise<T | null>
  /**
   * Replaces the value with the result of `change` and returns it. An identical value is not written. Throws 4100 while
   * locked.
   */
  update(change: (value: T) => T): Promise<T>
}

/** Dependencies of sealed cells. */
export type Sealing = {
  store: Store
  vault: Pick<Vault, 'read' | 'peek' | 'update'>
  /** Keeps a value of this name aside that did not open, and has the person told. */
  reset(name: string, stored: unknown): Promise<void>
}

export type SealedCellParts<T> = Sealing & {
  name: string
  /** The value if none is stored. */
  initial: () => T
}

/**
 * A value that authenticates was written by this cell, so its shape is not validated. One that does not is moved aside.
 */
export const createSealedCell = <T>({ store, vault, reset, name, initial }: SealedCellParts<T>): SealedCell<T> => {
  const inTurn = createSerialQueue()

  const open = async (stateKey: string | undefined): Promise<T> => {
    const stored = await store.get(name)
    if (stored === undefined) return initial()
    const opened = stateKey === undefined ? undefined : openSealed(stateKey, name, stored)
    if (opened) return opened.value as T
    await reset(name, stored)
    return initial()
  }

  const requireKey = async (): Promise<string> => {
    const { stateKey } = await vault.read()
    if (stateKey !== undefined) return stateKey
    const fresh = newSealingKey()
    return (await vault.update(secrets => ({ stateKey: fresh, ...secrets }))).stateKey ?? fresh
  }

  return {
    read: () =>
      inTurn(async () => {
        const secrets = await vault.peek()
        return secrets && open(secrets.stateKey)
      }),
    update: change =>
      inTurn(async () => {
        const { stateKey } = await vault.read()
        const value = await open(stateKey)
        const changed = change(value)
        if (changed !== value) await store.set(name, seal(await requireKey(), name, changed))
        return changed
      }),
  }
}
