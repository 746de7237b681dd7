/**
 * A value that is kept on disk and read only while the wallet is unlocked: sealed with XChaCha20-Poly1305 under a key that
 * is in the vault. It has a file of its own, since it changes often and the vault should not.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { report } from '../failures.ts'
import type { Store } from '../store.ts'
import { createTurns } from '../turns.ts'
import type { Vault } from './vault.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 24

const hex = v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{2})+$/))
const FileSchema = v.object({ version: v.literal(1), nonce: hex, sealed: hex })

export type SealedCell<T> = {
  /** Null while the wallet is locked. */
  read(): Promise<T | null>
  /** Replaces the value by what `change` makes of it and returns it; the same again is not written. Throws 4100 while locked. */
  update(change: (value: T) => T): Promise<T>
}

export type SealedCellParts<T> = {
  store: Store
  vault: Pick<Vault, 'read' | 'peek' | 'update'>
  name: string
  /** What an absent value reads as. */
  initial: () => T
}

/** The value was written by this cell, so it is trusted once it opens. One that does not open is as if it were absent. */
export const createSealedCell = <T>({ store, vault, name, initial }: SealedCellParts<T>): SealedCell<T> => {
  const inTurn = createTurns()
  const place = utf8ToBytes(`heliograph ${name}`)

  const open = async (stateKey: string | undefined): Promise<T> => {
    const stored = await store.get(name)
    if (stored === undefined || stateKey === undefined) return initial()
    try {
      const { nonce, sealed } = v.parse(FileSchema, stored)
      const bytes = xchacha20poly1305(hexToBytes(stateKey), hexToBytes(nonce), place).decrypt(hexToBytes(sealed))
      return JSON.parse(new TextDecoder().decode(bytes))
    } catch (error) {
      report(error)
      return initial()
    }
  }

  const write = async (stateKey: string, value: T) => {
    const nonce = randomBytes(NONCE_BYTES)
    const sealed = xchacha20poly1305(hexToBytes(stateKey), nonce, place).encrypt(utf8ToBytes(JSON.stringify(value)))
    await store.set(name, { version: 1, nonce: bytesToHex(nonce), sealed: bytesToHex(sealed) })
  }

  const requireKey = async (): Promise<string> => {
    const { stateKey } = await vault.read()
    if (stateKey !== undefined) return stateKey
    const fresh = bytesToHex(randomBytes(KEY_BYTES))
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
        if (changed !== value) await write(await requireKey(), changed)
        return changed
      }),
  }
}
