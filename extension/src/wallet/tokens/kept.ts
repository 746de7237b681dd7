/** Accounts' last known balances. Shown as outdated while the node is unreachable. */
import type { Address } from '@heliograph/shared/evm/address'
import type { KeptView } from '../../messages.ts'
import { createSealedCell, type Sealing } from '../keys/sealed-cell.ts'
import type { Owner } from './found.ts'

export type Kept = {
  /** Returns an account's balances. Null if none are stored, or while the wallet is locked. */
  of(owner: Owner): Promise<KeptView | null>
  /** Merges new values. Does nothing while the wallet is locked. */
  note(owner: Owner, news: Partial<KeptView>): Promise<void>
}

/** Maximum number of stored entries, one per account and network. The least recently used is dropped first. */
export const MAX_KEPT = 50

const NAME = 'last-holdings'
const NOTHING: KeptView = { wei: null, at: null, tokens: [], collections: [] }

const keyOf = ({ chainId, account }: { chainId: number; account: Address }): string =>
  `${chainId} ${account.toLowerCase()}`

export const createKept = (sealing: Sealing): Kept => {
  const cell = createSealedCell<readonly [key: string, KeptView][]>({ ...sealing, name: NAME, initial: () => [] })
  return {
    of: async owner => (await cell.read())?.find(([key]) => key === keyOf(owner))?.[1] ?? null,
    note: async (owner, news) => {
      if ((await sealing.vault.peek()) === null) return
      const key = keyOf(owner)
      await cell.update(all => {
        const known = all.find(([other]) => other === key)?.[1] ?? NOTHING
        return [[key, { ...known, ...news }] as [string, KeptView], ...all.filter(([other]) => other !== key)].slice(
          0,
          MAX_KEPT,
        )
      })
    },
  }
}
