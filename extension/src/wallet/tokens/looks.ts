/**
 * Results of the wallet's own looks for tokens, per account and network. The list is encrypted, because it shows what an
 * account holds.
 */
import type { LookLimit } from '../../messages.ts'
import { createSealedCell, type Sealing } from '../keys/sealed-cell.ts'
import type { Looked } from '../networks/log-search.ts'
import type { Owner } from './found.ts'

/**
 * A look. `nodes` has the URLs of the network's nodes when it began. `isListedRead` is true once the balances of the
 * listed tokens were read. `at` is the time of its last end in Unix ms, null before that. `tokens` and `collectibles`
 * count what the account holds, without spam. `others` counts the held tokens and collections that the user has not
 * decided on. `looked` has the searched blocks. `unseen` counts the transfers that the user has not seen.
 */
export type Look = {
  nodes: string
  isListedRead: boolean
  at: number | null
  isFailed: boolean
  limits: readonly LookLimit[]
  tokens: number
  collectibles: number
  others: number
  looked: Looked | null
  unseen: number
}

type AllLooks = Readonly<Record<string, Look>>

export type Looks = {
  /** Returns all looks by `lookKey`. Empty while the wallet is locked. */
  all(): Promise<AllLooks>
  /** Changes a look. It starts as a new one. Throws 4100 while locked. */
  update(owner: Owner, change: (look: Look) => Look): Promise<void>
  /** Deletes the looks on a network that was reset. */
  forget(chainId: number): Promise<void>
}

/** Maximum number of stored looks. The latest are kept. One pass makes at most this number of looks. */
export const MAX_LOOKS = 400

const NAME = 'token-looks'

export const lookKey = ({ chainId, account }: Owner): string => `${chainId} ${account.toLowerCase()}`

/** A look that has not begun. */
export const NO_LOOK: Look = {
  nodes: '',
  isListedRead: false,
  at: null,
  isFailed: false,
  limits: [],
  tokens: 0,
  collectibles: 0,
  others: 0,
  looked: null,
  unseen: 0,
}

export const createLooks = (sealing: Sealing): Looks => {
  const cell = createSealedCell<AllLooks>({ ...sealing, name: NAME, initial: () => ({}) })
  return {
    all: async () => (await cell.read()) ?? {},
    update: async (owner, change) => {
      const key = lookKey(owner)
      await cell.update(looks => {
        const { [key]: look = NO_LOOK, ...others } = looks
        return Object.fromEntries([...Object.entries(others), [key, change(look)] as const].slice(-MAX_LOOKS))
      })
    },
    forget: async chainId => {
      await cell.update(looks =>
        Object.fromEntries(Object.entries(looks).filter(([key]) => !key.startsWith(`${chainId} `))),
      )
    },
  }
}
