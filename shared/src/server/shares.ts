/**
 * Fair shares: of everything that has a bound for all, one address, client or topic holds at most a small part. What is
 * held is counted on the account of its holder, and an account is forgotten when it holds nothing.
 */
import { randomInt } from 'node:crypto'

/** What all share. Each has a bound in the configuration. */
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

/** What one holder has of each resource. `key` is the holder's name; `mark` is a random number that may be stored for it. */
export type Account = Record<Resource, number> & {
  readonly holder: Holder
  readonly key: string
  readonly mark: number
  /** This account as the only payer. */
  readonly alone: readonly Account[]
  /** It holds something, or has. */
  isOpen: boolean
}

/** Those who pay for something together: mostly an address and a client. Nobody pays for what is exempt. */
export type Payers = readonly Account[]
export const NOBODY: Payers = []

/** The part of each bound that one holder may have. */
export type ShareLimits = Readonly<Record<Resource, number>>

export type Shares = {
  limits: ShareLimits
  /** The account of a holder; a new one, which is kept from its first charge on, if it holds nothing. */
  accountOf: (holder: Holder, key: string) => Account
  /** The first payer whose share has no room for so much more. */
  exhausted: (payers: Payers, resource: Resource, amount: number) => Account | undefined
  /** Charges so much to all payers, whatever their shares are. */
  take: (payers: Payers, resource: Resource, amount: number) => void
  give: (payers: Payers, resource: Resource, amount: number) => void
  /** Accounts that hold something. */
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

/** The share of a bound in whole numbers: a percentage of it, but not less than the floor. */
export const shareOf = (bound: number, percent: number, floor: number): number =>
  Math.max(Math.floor((bound * percent) / 100), Math.min(floor, bound))

/** Percentage of a topic's room that one address or client may take, and floors of it. */
const TOPIC_PERCENT = 50
const TOPIC_FLOORS = { messages: 1000, clients: 10, bytes: 1024 * 1024 }

/**
 * Of a topic's bound, what one address or client may take: whoever learns the name of a topic cannot close it to those whose
 * topic it is.
 */
export const partOfTopic = (bound: number, of: keyof typeof TOPIC_FLOORS): number =>
  shareOf(bound, TOPIC_PERCENT, TOPIC_FLOORS[of])

/** The first payer who would have more than `most` of what is on a topic with so much more. Counts only where that can be. */
export const crowding = <T extends { payers: Payers }>(
  payers: Payers,
  held: Iterable<T>,
  most: number,
  amount: number,
  sizeOf: (item: T) => number,
): Account | undefined =>
  payers.find(payer => {
    let sum = amount
    for (const item of held) if (item.payers.includes(payer)) sum += sizeOf(item)
    return sum > most
  })

/** The name under which a refusal is counted: `address-subscriptions`. */
export const shareName = ({ holder }: Pick<Account, 'holder'>, resource: Resource): string => `${holder}-${resource}`

/** All names of refusals. */
export const shareNames: readonly string[] = (['address', 'client', 'topic'] as const).flatMap(holder =>
  resources.map(resource => shareName({ holder }, resource)),
)

/** What an error says of a share that has no room: `the share of your address is used up: 20000 subscriptions (…)`. */
export const shareText = (account: Account, resource: Resource, limits: ShareLimits): string =>
  `the share of your ${account.holder} is used up: ${limits[resource]} ${resource} (${shareName(account, resource)})`

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
