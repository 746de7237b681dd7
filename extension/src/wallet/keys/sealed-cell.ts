/**
 * A stored value that is encrypted with a key in the vault, so it is readable only while the wallet is unlocked. It has
 * its own file because, unlike the vault, it changes often.
 */

import { asUnreadable, type Cell, ifUnreadable, type Store } from '../storage/store.ts'
import { report, rpcError } from '../text/errors.ts'
import { createSerialQueue } from '../work/turns.ts'
import { newSealingKey, openLatest, seal } from './sealing.ts'
import type { TrustedStore } from './trusted-store.ts'
import type { Vault } from './vault.ts'

/**
 * Reads as null while the wallet is locked, and if the stored value cannot be read. An update throws 4100 in the first
 * case, -32603 in the second.
 */
export type SealedCell<T> = Cell<T, null>

/** Dependencies of sealed cells. */
export type Sealing = {
  store: Store
  vault: Pick<Vault, 'read' | 'peek' | 'update'>
  /** Records the revisions of values, and sets aside refused values. */
  trusted: Pick<TrustedStore, 'noted' | 'note' | 'reset'>
}

export type SealedCellParts<T> = Sealing & {
  name: string
  /** Returns the value to use if none is stored. */
  initial: () => T
}

/**
 * Creates a cell. An authenticated value was written by this cell, so its shape is not validated. A value that is
 * outdated or fails authentication is set aside, and the cell starts again with its initial value.
 */
export const createSealedCell = <T>({ store, vault, trusted, name, initial }: SealedCellParts<T>): SealedCell<T> => {
  const inTurn = createSerialQueue()

  const requireKey = async (): Promise<string> => {
    const { stateKey } = await vault.read()
    if (stateKey !== undefined) return stateKey
    const fresh = newSealingKey()
    return (await vault.update(secrets => ({ stateKey: fresh, ...secrets }))).stateKey ?? fresh
  }

  const write = async (value: T, revision: number): Promise<{ value: T; revision: number }> => {
    await store.set(name, seal(await requireKey(), name, value, revision))
    await trusted.note(name, revision)
    return { value, revision }
  }

  /** Returns the value and its revision. A value sealed by an earlier version of the wallet gets its first revision. */
  const open = async (stateKey: string | undefined, noted: number): Promise<{ value: T; revision: number }> => {
    const stored = await store.get(name).catch(asUnreadable(name))
    const latest = openLatest(stateKey, name, stored, noted)
    if (latest === 'absent') return { value: initial(), revision: 0 }
    if (latest === 'refused') {
      // The refused value counts as unreadable until the disk has room to set it aside.
      await trusted.reset(name, stored).catch(asUnreadable(name))
      return write(initial(), noted + 1).catch(asUnreadable(name))
    }
    const found = { value: latest.value as T, revision: latest.revision }
    if (found.revision > noted) await trusted.note(name, found.revision)
    if (found.revision > 0) return found
    return write(found.value, 1).catch(error => {
      report(error)
      return found
    })
  }

  return {
    read: () =>
      inTurn(async () => {
        const secrets = await vault.peek()
        const noted = secrets && (await trusted.noted(name))
        if (!secrets || noted === null) return null
        return open(secrets.stateKey, noted).then(({ value }) => value, ifUnreadable(null))
      }),
    update: change =>
      inTurn(async () => {
        const { stateKey } = await vault.read()
        const noted = await trusted.noted(name)
        if (noted === null) throw rpcError('unauthorized', 'unlockFirst')
        const { value, revision } = await open(stateKey, noted)
        const changed = change(value)
        return changed === value ? value : (await write(changed, revision + 1)).value
      }),
  }
}
