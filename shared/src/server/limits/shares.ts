/**
 * Fair shares: one address, client or topic may use only a small part of each limit. Usage is counted on the holder's
 * account, and an account is dropped when it holds nothing.
 */
import { randomInt } from 'node:crypto'

/** Shared resources. Each has a limit in the configuration. */
export const resources = [
  'connections',
  'subscriptions',
  'messages',
  'bytes',
  'unsent',
  'webhooks',
  'calls',
  'watches',
] as const
export type Resource = (typeof resources)[number]

export type Holder = 'address' | 'client' | 'topic'

/**
 * Usage of one holder by resource. `key` identifies the holder; `mark` is a random number that may be stored instead of
 * the key.
 */
export type Account = Record<Resource, number> & {
  readonly holder: Holder
  readonly key: string
  readonly mark: number
  /** This account as a list of payers. */
  readonly alone: readonly Account[]
  /** True once anything was charged. */
  isOpen: boolean
}

/** The accounts charged together for something, usually an address and a client. Empty for exempt clients. */
export type Payers = readonly Account[]
export const NOBODY: Payers = []

/** Maximum usage of one holder by resource. */
export type ShareLimits = Readonly<Record<Resource, number>>

export type Shares = {
  limits: ShareLimits
  /** Returns the account of a holder. A new account is kept from its first charge on. */
  accountOf: (holder: Holder, key: string) => Account
  /** Returns the first payer whose share does not allow `amount` more. */
  exhausted: (payers: Payers, resource: Resource, amount: number) => Account | undefined
  /** Charges all payers, without checking their shares. */
  take: (payers: Payers, resource: Resource, amount: number) => void
  give: (payers: Payers, resource: Resource, amount: number) => void
  /** Number of accounts that hold something. */
  size: () => number
}

const LARGEST_MARK = 2 ** 47

const newAccount = (holder: Holder, key: string): Account => {
  const alone: Account[] = []
  const account: Account = {
    holder,
    key,
    mark: randomInt(1, LARGEST_MARK),
    alone,
    isOpen: false,
    connections: 0,
    subscriptions: 0,
    messages: 0,
    bytes: 0,
    unsent: 0,
    webhooks: 0,
    calls: 0,
    watches: 0,
  }
  alone.push(account)
  return account
}

const isEmpty = (account: Account): boolean => resources.every(resource => account[resource] === 0)

/** Returns the share of a limit: a percentage of it, but at least the floor. */
export const shareOf = (bound: number, percent: number, floor: number): number =>
  Math.max(Math.floor((bound * percent) / 100), Math.min(floor, bound))

/**
 * Percentage of a topic's limits that one address or client may use. At least the amounts in TOPIC_FLOORS are allowed.
 */
const TOPIC_PERCENT = 50
const TOPIC_FLOORS = { messages: 1000, clients: 10, bytes: 1024 * 1024 }

/**
 * Returns the part of a topic's limit that one address or client may use. This prevents a stranger who knows a
 * topic's name from filling the topic.
 */
export const partOfTopic = (bound: number, of: keyof typeof TOPIC_FLOORS): number =>
  shareOf(bound, TOPIC_PERCENT, TOPIC_FLOORS[of])

/** How much of one topic each payer holds: messages, bytes or clients. */
export type Tally = Map<Account, number>

/** Adds an amount, which may be negative, to the tally of each payer. */
export const addTo = (tally: Tally, payers: Payers, amount: number): void => {
  for (const payer of payers) {
    const sum = (tally.get(payer) ?? 0) + amount
    if (sum === 0) tally.delete(payer)
    else tally.set(payer, sum)
  }
}

export const tallyOf = <T extends { payers: Payers }>(held: Iterable<T>, sizeOf: (item: T) => number): Tally => {
  const tally: Tally = new Map()
  for (const item of held) addTo(tally, item.payers, sizeOf(item))
  return tally
}

/** Returns the first payer who would hold more than `most` with `amount` added. */
export const crowding = (payers: Payers, tally: Tally, most: number, amount: number): Account | undefined =>
  payers.find(payer => (tally.get(payer) ?? 0) + amount > most)

/** Returns the name under which a refusal is counted: `address-subscriptions`. */
export const shareName = ({ holder }: Pick<Account, 'holder'>, resource: Resource): string => `${holder}-${resource}`

/** Names of all shares. */
export const shareNames: readonly string[] = (['address', 'client', 'topic'] as const).flatMap(holder =>
  resources.map(resource => shareName({ holder }, resource)),
)

/** Returns the values of the reason `shareUsedUp`: `the share of your address is used up: 20000 subscriptions (…)`. */
export const usedUpShare = (account: Account, resource: Resource, limits: ShareLimits) => ({
  holder: account.holder,
  limit: limits[resource],
  resource,
  setting: shareName(account, resource),
})

export const createShares = (limits: ShareLimits): Shares => {
  const accounts = new Map<string, Account>()
  const nameOf = (holder: Holder, key: string): string => `${holder} ${key}`
  const open = (account: Account): void => {
    account.isOpen = true
    accounts.set(nameOf(account.holder, account.key), account)
  }
  const close = (account: Account): void => {
    account.isOpen = false
    accounts.delete(nameOf(account.holder, account.key))
  }

  return {
    limits,
    accountOf: (holder, key) => accounts.get(nameOf(holder, key)) ?? newAccount(holder, key),
    exhausted: (payers, resource, amount) => {
      for (const payer of payers) if (payer[resource] + amount > limits[resource]) return payer
      return undefined
    },
    take: (payers, resource, amount) => {
      for (const payer of payers) {
        payer[resource] += amount
        if (!payer.isOpen) open(payer)
      }
    },
    give: (payers, resource, amount) => {
      for (const payer of payers) {
        payer[resource] -= amount
        if (payer[resource] === 0 && isEmpty(payer)) close(payer)
      }
    },
    size: () => accounts.size,
  }
}
