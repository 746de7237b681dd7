/**
 * Signed transactions by account and network, and their outcomes. A record is stored before the first broadcast, so the
 * same bytes can be sent again without signing twice.
 */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { decodeTransaction, hashTransaction, type Transaction } from '@heliograph/shared/evm/transaction'
import type { ActivityFailure, ActivityPurpose, ActivityStatus } from '../../messages.ts'
import { createCell, ifUnreadable, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'

/**
 * A signed transaction. `raw` is kept while the network may still include it. `key` identifies its request. `origin` is
 * the site, or null for the wallet's own pages. `replaces` is the hash of the replaced transaction with the same nonce.
 * Quantities are 0x hex, times are Unix times in ms. `sentAt` is the time of the last broadcast, `settledAt` the time
 * of the outcome; from then on the record is settled, no longer signed or pending.
 * `price` is the maximum wei per gas, `fee` the fee paid in wei.
 */
export type Activity = {
  hash: Hex
  raw: Hex | null
  chainId: number
  account: Address
  nonce: Hex
  key: string
  origin: string | null
  purpose: ActivityPurpose
  replaces: Hex | null
  to: Address | null
  value: Hex
  data: Hex
  gas: Hex
  price: Hex
  status: ActivityStatus
  failure: ActivityFailure | null
  createdAt: number
  sentAt: number | null
  settledAt: number | null
  block: Hex | null
  fee: Hex | null
  /**
   * Time (Unix ms) at which another transaction was first found to have used this nonce. Reset to null if that turns
   * out to be wrong.
   */
  missedAt?: number | null
}

/** Context of a signed transaction: network, account, request, site and time, and the purpose if the wallet made it. */
export type Occasion = Pick<Activity, 'chainId' | 'account' | 'key' | 'origin' | 'createdAt'> &
  Partial<Pick<Activity, 'purpose' | 'replaces'>> & { status: 'signed' | 'pending' }

export type ActivityStore = {
  /** Returns all records, oldest first. */
  list(): Promise<readonly Activity[]>
  find(hash: Hex): Promise<Activity | undefined>
  /** Returns the records of one request or page action. */
  ofKey(key: string): Promise<readonly Activity[]>
  /**
   * Adds records. A known record changes only if it was dropped, or was signed and is now sent. A settled record is
   * replaced if another request signed the same bytes, because a reset chain accepts them again. If the records cannot
   * be read, starts an empty list and tells the user. Throws -32005 if there is no room.
   */
  add(added: readonly Activity[]): Promise<void>
  /**
   * Adds records of a backup, ordered by their creation. Known records stay as they are, and none is dropped to make
   * room. Throws -32005 if there is no room.
   */
  restore(records: readonly Activity[]): Promise<void>
  /** Updates a record. Does nothing if it is settled. */
  change(hash: Hex, change: Partial<Omit<Activity, 'hash'>>): Promise<void>
  /** Deletes all records of a network. */
  forget(chainId: number): Promise<void>
}

/** Limits per account and network: open transactions, and all records. */
export const MAX_OPEN_PER_ACCOUNT = 64
export const MAX_PER_ACCOUNT = 128
/** Maximum total size of stored raw transactions, in characters. A browser's extension storage holds 10 MB. */
export const MAX_RAW_SIZE = 4 << 20
/**
 * Maximum total size of all records, in characters. RECORD_SIZE is the assumed size of a record without its raw
 * transaction and its call data.
 */
export const MAX_ACTIVITY_SIZE = 5 << 20
const RECORD_SIZE = 1_200
/** Maximum characters of stored call data. Longer data is cut to its selector. */
export const LONGEST_DATA = 4_096
const SELECTOR_LENGTH = 10

const priceOf = (transaction: Transaction) =>
  'gasPrice' in transaction ? transaction.gasPrice : transaction.maxFeePerGas

/** Creates the record of a signed transaction. */
export const activityOf = (raw: Hex, occasion: Occasion): Activity => {
  const { transaction } = decodeTransaction(raw)
  const { nonce, to = null, value, data, gas } = transaction
  return {
    purpose: 'transaction',
    replaces: null,
    ...occasion,
    hash: hashTransaction(raw),
    raw,
    nonce: encodeQuantity(nonce),
    to,
    value: encodeQuantity(value),
    data: data.length > LONGEST_DATA ? (data.slice(0, SELECTOR_LENGTH) as Hex) : data,
    gas: encodeQuantity(gas),
    price: encodeQuantity(priceOf(transaction)),
    failure: null,
    sentAt: occasion.status === 'pending' ? occasion.createdAt : null,
    settledAt: null,
    block: null,
    fee: null,
  }
}

/** True if the transaction occupies its nonce: it is pending, or signed and not yet sent. */
export const isOpen = ({ status }: Activity): boolean => status === 'signed' || status === 'pending'

type AccountKey = Pick<Activity, 'chainId' | 'account'>

export const isOf =
  ({ chainId, account }: AccountKey) =>
  (activity: Activity): boolean =>
    activity.chainId === chainId && sameAddress(activity.account, account)

const sizeOf = (kept: readonly Activity[]): number => kept.reduce((sum, { raw }) => sum + (raw?.length ?? 0), 0)

const weightOf = (kept: readonly Activity[]): number =>
  sizeOf(kept) + kept.reduce((sum, { data }) => sum + data.length + RECORD_SIZE, 0)

const assertRoom = (kept: readonly Activity[], added: Activity) => {
  const open = kept.filter(isOpen)
  if (open.filter(isOf(added)).length >= MAX_OPEN_PER_ACCOUNT)
    throw rpcError('limitExceeded', 'tooManyPending', { limit: MAX_OPEN_PER_ACCOUNT })
  if (sizeOf([...kept, added]) > MAX_RAW_SIZE)
    throw rpcError('limitExceeded', 'pendingTooLarge', { limit: MAX_RAW_SIZE })
  if (weightOf([...kept, added]) > MAX_ACTIVITY_SIZE)
    throw rpcError('limitExceeded', 'activityTooLarge', { limit: MAX_ACTIVITY_SIZE })
}

/** Returns a function that counts added records, and throws -32005 for the first one for which there is no room. */
export const roomBeside = (kept: readonly Activity[]): ((added: Activity) => void) => {
  let raw = 0
  let weight = 0
  const open = new Map<string, number>()
  const all = new Map<string, number>()
  const take = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const keyOf = ({ chainId, account }: Activity) => `${chainId} ${account.toLowerCase()}`
  const add = (record: Activity) => {
    raw += sizeOf([record])
    weight += weightOf([record])
    if (isOpen(record)) take(open, keyOf(record))
    take(all, keyOf(record))
  }
  for (const record of kept) add(record)
  return record => {
    const key = keyOf(record)
    if (isOpen(record) && (open.get(key) ?? 0) >= MAX_OPEN_PER_ACCOUNT)
      throw rpcError('limitExceeded', 'tooManyPending', { limit: MAX_OPEN_PER_ACCOUNT })
    if ((all.get(key) ?? 0) >= MAX_PER_ACCOUNT)
      throw rpcError('limitExceeded', 'activityFull', { limit: MAX_PER_ACCOUNT })
    if (raw + sizeOf([record]) > MAX_RAW_SIZE)
      throw rpcError('limitExceeded', 'pendingTooLarge', { limit: MAX_RAW_SIZE })
    if (weight + weightOf([record]) > MAX_ACTIVITY_SIZE)
      throw rpcError('limitExceeded', 'activityTooLarge', { limit: MAX_ACTIVITY_SIZE })
    add(record)
  }
}

/**
 * Deletes the raw bytes of dropped transactions, oldest first, so that transactions that may still be sent have room.
 */
const withoutDropped = (kept: readonly Activity[], added: Activity): readonly Activity[] => {
  let over = sizeOf([...kept, added]) - MAX_RAW_SIZE
  return kept.map(activity => {
    if (over <= 0 || activity.status !== 'dropped' || activity.raw === null) return activity
    over -= activity.raw.length
    return { ...activity, raw: null }
  })
}

/** Makes room for a record of this account and network by removing its oldest record that is not open. */
const withoutOldest = (kept: readonly Activity[], place: AccountKey): readonly Activity[] => {
  const ofAccount = kept.filter(isOf(place))
  if (ofAccount.length < MAX_PER_ACCOUNT) return kept
  const oldest = ofAccount.find(activity => !isOpen(activity))
  return kept.filter(activity => activity !== oldest)
}

/** Makes room within the total size by removing any account's oldest records that are not open. */
const withinSize = (kept: readonly Activity[], added: Activity): readonly Activity[] => {
  let over = weightOf([...kept, added]) - MAX_ACTIVITY_SIZE
  return kept.filter(activity => {
    if (over <= 0 || isOpen(activity)) return true
    over -= weightOf([activity])
    return false
  })
}

/** Reopens a record whose bytes were signed or sent again. */
const revived = (known: Activity, { status }: Activity): Activity =>
  known.status === 'dropped' || (known.status === 'signed' && status === 'pending')
    ? { ...known, status, failure: null, settledAt: null }
    : known

const withAdded = (kept: readonly Activity[], added: Activity): readonly Activity[] => {
  const known = kept.find(({ hash }) => hash === added.hash)
  if (known?.raw) return kept.map(activity => (activity === known ? revived(known, added) : activity))
  if (known?.key === added.key) return kept
  const others = kept.filter(activity => activity !== known)
  const room = withinSize(withoutDropped(withoutOldest(others, added), added), added)
  assertRoom(room, added)
  return [...room, added]
}

export const createActivity = (store: Store): ActivityStore => {
  const cell = createCell<readonly Activity[]>(store, 'activity', [])

  return {
    list: cell.read,
    find: async hash => (await cell.read()).find(activity => activity.hash === hash),
    ofKey: async key => (await cell.read()).filter(activity => activity.key === key),
    add: async added => {
      // The request warned that the records could not be read, and the user approved anyway, so the new records must be
      // stored.
      await cell.read().catch(async error => {
        ifUnreadable(undefined)(error)
        await store.remove('activity')
      })
      await cell.update(kept => added.reduce(withAdded, kept))
    },
    restore: async records => {
      await cell.update(kept => {
        const known = new Set(kept.map(({ hash }) => hash))
        const added = records.filter(({ hash }) => !known.has(hash))
        added.forEach(roomBeside(kept))
        return [...kept, ...added].toSorted((one, other) => one.createdAt - other.createdAt)
      })
    },
    change: async (hash, change) => {
      await cell.update(kept =>
        // A settled record (`raw` is null) is final, even if the caller read the record before it was settled.
        kept.map(activity => (activity.hash === hash && activity.raw !== null ? { ...activity, ...change } : activity)),
      )
    },
    forget: async chainId => {
      await cell.update(kept => kept.filter(activity => activity.chainId !== chainId))
    },
  }
}
