/**
 * What the accounts of this wallet have signed, by account and network, and what became of it. It is kept on disk and
 * written before the first broadcast, so that the same bytes can be sent again and are never signed again.
 */
import { rpcError } from '@heliograph/shared/errors'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { fromQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { decodeTransaction, hashTransaction, type Transaction } from '@heliograph/shared/evm/transaction'
import type { ActivityFailure, ActivityPurpose, ActivityStatus } from '../../messages.ts'
import { createCell, type Store } from '../store.ts'

/**
 * One signed transaction. `raw` is there for as long as the network may still take it. `key` is that of the request that
 * it was signed for, `origin` its site: null for the wallet's own screens. `replaces` is the hash of the one whose nonce
 * it takes. Quantities are 0x hex, times ms since 1970: `sentAt` of the last broadcast, `settledAt` of the end. `price` is
 * the most per gas, `fee` what was paid in the end, in wei.
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
  /** When its nonce was first seen to be used by another; nothing else has come since. */
  missedAt?: number | null
}

/** What a signed transaction was for. */
export type Occasion = Pick<Activity, 'chainId' | 'account' | 'key' | 'origin' | 'createdAt'> &
  Partial<Pick<Activity, 'purpose' | 'replaces'>> & { status: 'signed' | 'pending' }

export type ActivityStore = {
  /** Oldest first. */
  list(): Promise<readonly Activity[]>
  find(hash: Hex): Promise<Activity | undefined>
  /** Those that a request or a screen made. */
  ofKey(key: string): Promise<readonly Activity[]>
  /**
   * Keeps new ones. One that is there stays what it is, but for one that was not on its way and is now, and for one that
   * is settled and was signed anew for something else: a chain that began anew takes the same bytes again. Throws -32005.
   */
  add(added: readonly Activity[]): Promise<void>
  /** Keeps what became of one. */
  change(hash: Hex, change: Partial<Omit<Activity, 'hash'>>): Promise<void>
  /** Forgets all of a network. */
  forget(chainId: number): Promise<void>
}

/** Bounds of what is kept of an account on a network: of those that may still be taken, and of all. */
export const MAX_OPEN_PER_ACCOUNT = 64
export const MAX_PER_ACCOUNT = 128
/** Bound of all bytes that may still be sent, in characters: the store of a browser holds 10 MB in all. */
export const MAX_RAW_SIZE = 4 << 20
/** Bound of all that is kept, in characters. One record takes so many beside its bytes and its data. */
export const MAX_ACTIVITY_SIZE = 5 << 20
const RECORD_SIZE = 1_200
/** Data that is longer is kept as its selector alone, in characters. */
export const LONGEST_DATA = 4_096
const SELECTOR_LENGTH = 10

const priceOf = (transaction: Transaction) =>
  'gasPrice' in transaction ? transaction.gasPrice : transaction.maxFeePerGas

/** The record of signed bytes. */
export const activityOf = (raw: Hex, occasion: Occasion): Activity => {
  const { transaction } = decodeTransaction(raw)
  const { nonce, to = null, value, data, gas } = transaction
  return {
    purpose: 'transaction',
    replaces: null,
    ...occasion,
    hash: hashTransaction(raw),
    raw,
    nonce: fromQuantity(nonce),
    to,
    value: fromQuantity(value),
    data: data.length > LONGEST_DATA ? (data.slice(0, SELECTOR_LENGTH) as Hex) : data,
    gas: fromQuantity(gas),
    price: fromQuantity(priceOf(transaction)),
    failure: null,
    sentAt: null,
    settledAt: null,
    block: null,
    fee: null,
  }
}

/** Whether it holds its nonce: it is on its way, or signed and kept to be sent. */
export const isOpen = ({ status }: Activity): boolean => status === 'signed' || status === 'pending'

type Place = Pick<Activity, 'chainId' | 'account'>

export const isOf =
  ({ chainId, account }: Place) =>
  (activity: Activity): boolean =>
    activity.chainId === chainId && sameAddress(activity.account, account)

const sizeOf = (kept: readonly Activity[]): number => kept.reduce((sum, { raw }) => sum + (raw?.length ?? 0), 0)

const weightOf = (kept: readonly Activity[]): number =>
  sizeOf(kept) + kept.reduce((sum, { data }) => sum + data.length + RECORD_SIZE, 0)

const assertRoom = (kept: readonly Activity[], added: Activity) => {
  const open = kept.filter(isOpen)
  if (open.filter(isOf(added)).length >= MAX_OPEN_PER_ACCOUNT)
    throw rpcError(
      'limitExceeded',
      `${MAX_OPEN_PER_ACCOUNT} transactions of this account are already on their way or wait to be sent`,
    )
  if (sizeOf([...kept, added]) > MAX_RAW_SIZE)
    throw rpcError('limitExceeded', `The transactions that may still be sent are over ${MAX_RAW_SIZE} characters`)
  if (weightOf([...kept, added]) > MAX_ACTIVITY_SIZE)
    throw rpcError('limitExceeded', `All transactions that are kept are over ${MAX_ACTIVITY_SIZE} characters`)
}

/** Bytes that the node did not take give way, the oldest first, to those that may still be sent. */
const withoutDropped = (kept: readonly Activity[], added: Activity): readonly Activity[] => {
  let over = sizeOf([...kept, added]) - MAX_RAW_SIZE
  return kept.map(activity => {
    if (over <= 0 || activity.status !== 'dropped' || activity.raw === null) return activity
    over -= activity.raw.length
    return { ...activity, raw: null }
  })
}

/** Makes room for one of this account: the oldest that no longer holds a nonce goes. */
const withoutOldest = (kept: readonly Activity[], place: Place): readonly Activity[] => {
  const ofAccount = kept.filter(isOf(place))
  if (ofAccount.length < MAX_PER_ACCOUNT) return kept
  const oldest = ofAccount.find(activity => !isOpen(activity))
  return kept.filter(activity => activity !== oldest)
}

/** Of all accounts together the oldest that no longer hold a nonce go, until the added one has room. */
const withinSize = (kept: readonly Activity[], added: Activity): readonly Activity[] => {
  let over = weightOf([...kept, added]) - MAX_ACTIVITY_SIZE
  return kept.filter(activity => {
    if (over <= 0 || isOpen(activity)) return true
    over -= weightOf([activity])
    return false
  })
}

/** Signed once more, or sent after all, the same bytes are the same record, for as long as they may be taken. */
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

/** `onChange` is called after each change, `onAdded` after one that leaves something to look after. */
export const createActivity = (store: Store, onChange = () => {}, onAdded = () => {}): ActivityStore => {
  const cell = createCell<readonly Activity[]>(store, 'activity', [])

  return {
    list: cell.read,
    find: async hash => (await cell.read()).find(activity => activity.hash === hash),
    ofKey: async key => (await cell.read()).filter(activity => activity.key === key),
    add: async added => {
      await cell.update(kept => added.reduce(withAdded, kept))
      onChange()
      onAdded()
    },
    change: async (hash, change) => {
      await cell.update(kept =>
        // What is settled stays as it is: who changes it now has looked before that.
        kept.map(activity => (activity.hash === hash && activity.raw !== null ? { ...activity, ...change } : activity)),
      )
      onChange()
      if (change.status === 'pending') onAdded()
    },
    forget: async chainId => {
      await cell.update(kept => kept.filter(activity => activity.chainId !== chainId))
      onChange()
    },
  }
}
