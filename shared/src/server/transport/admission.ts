/** Limits on concurrent connections and on the rate of requests, overall and per address. */
import { type Caller, type CallerRules, callerOf, rememberPeers } from '../limits/addresses.ts'
import { type Budget, createRate } from '../limits/rate.ts'
import type { Refused } from '../limits/refusals.ts'
import { NOBODY, type Payers, type Shares, shareName, usedUpShare } from '../limits/shares.ts'
import { type HttpError, httpError, type RequestHead } from './http.ts'
import type { Peers } from './peers.ts'

/**
 * Number of connections over the limit that are still accepted, so that a refused client gets a reason and /health is
 * answered. Further connections are closed at once.
 */
const HEARD = 100
/** Like HEARD, for the connections of one address. */
export const HEARD_OF_ADDRESS = 20

/** Tells the client to retry after 5 seconds. */
const LATER = { 'Retry-After': '5' }

/** Costs in tokens: of a connection, of an HTTP request, and of a WebSocket including the verification of its token. */
const CONNECTION_COST = 5
export const REQUEST_COST = 10
export const SOCKET_COST = 50

/** Number of tracked addresses at which addresses with a full budget are removed. */
const MANY = 10_000

/**
 * Origin of a socket: its address, the address's budget, and the accounts charged for it. Exempt addresses have none.
 */
export type Seat = { key: string | undefined; payers: Payers; budget: Budget | undefined }

export type AdmissionRules = CallerRules & {
  connections: number
  /** Tokens per second and address, and the maximum that an address can save up. */
  addressRate: number
  addressBurst: number
}

export type Admission = {
  /** Called for a new connection. False if it is over a limit and must be closed. */
  arrive: (peer: ArrayBuffer) => boolean
  /** Called when a connection, or the socket it became, has closed. */
  leave: () => void
  /** Returns the caller of a request, from the peer's address in bytes and the headers. */
  callerOf: (peer: ArrayBuffer, headers: RequestHead['headers']) => Caller
  /** Charges an HTTP request. Throws HttpError 429 if the address has no tokens left. */
  request: (caller: Caller) => void
  /** Returns HttpError 429 for an address that has spent too much, and counts it. */
  overspent: () => HttpError
  /**
   * Admits a socket. Throws HttpError 503 if the server is full, 429 if the address has
   * used up its share or its tokens.
   */
  seatOf: (caller: Caller) => Seat
  sit: (seat: Seat) => void
  rise: (seat: Seat) => void
  spend: (seat: Seat, tokens: number) => void
  /** False while the address has no tokens left. */
  allows: (seat: Seat) => boolean
  /** True once an address has spent a whole burst of tokens beyond the point at which refusals began. */
  isOverdrawn: (seat: Seat) => boolean
}

export type AdmissionOptions = {
  rules: AdmissionRules
  shares: Shares
  peers: Peers
  refused: Refused
  /** Any monotonic clock in milliseconds. */
  now?: () => number
}

export const createAdmission = (options: AdmissionOptions): Admission => {
  const { rules, shares, peers, refused, now = () => performance.now() } = options
  const rate = createRate(rules.addressRate, rules.addressBurst, now)
  const budgets = new Map<string, Budget>()
  const keyOf = rememberPeers(rules)
  let present = 0

  const overspent = (): HttpError => {
    const setting = 'address-rate'
    refused(setting)
    return httpError(429, 'addressOverRate', { setting }, LATER)
  }

  const refuseFull = (): void => {
    if (present <= rules.connections) return
    const setting = 'connections'
    refused(setting)
    throw httpError(503, 'serverFull', { limit: rules.connections, setting }, LATER)
  }

  const refuseShare = (payers: Payers): void => {
    const spent = shares.exhausted(payers, 'connections', 1)
    if (!spent) return
    const values = usedUpShare(spent, 'connections', shares.limits)
    refused(values.setting)
    throw httpError(429, 'shareUsedUp', values, LATER)
  }

  /** Removes addresses with a full budget and without sockets. */
  const tidy = (): void => {
    const { fullAt } = rate.full()
    for (const [key, budget] of budgets)
      if (budget.fullAt <= fullAt && shares.accountOf('address', key).connections === 0) budgets.delete(key)
  }

  const budgetOf = (key: string | undefined): Budget | undefined => {
    if (key === undefined) return undefined
    const known = budgets.get(key)
    if (known) return known
    if (budgets.size >= MANY) tidy()
    const budget = rate.full()
    budgets.set(key, budget)
    return budget
  }

  const isSpent = (budget: Budget | undefined): boolean => budget !== undefined && !rate.allows(budget)

  const charge = (budget: Budget | undefined, tokens: number): void => {
    if (!budget) return
    const isTooMuch = isSpent(budget)
    rate.spend(budget, tokens)
    if (isTooMuch) throw overspent()
  }

  const isWelcome = (peer: ArrayBuffer): boolean => {
    const key = keyOf(peer)
    if (key === undefined) return true
    const budget = budgetOf(key)
    if (budget && rate.isOverdrawn(budget)) refused('address-rate')
    else if (peers.arrive(key)) {
      if (budget) rate.spend(budget, CONNECTION_COST)
      return true
    } else refused(shareName({ holder: 'address' }, 'connections'))
    return false
  }

  return {
    arrive: peer => {
      present += 1
      if (present <= rules.connections + HEARD) return isWelcome(peer)
      refused('connections')
      return false
    },
    leave: () => {
      present -= 1
    },
    callerOf: (peer, headers) => callerOf(peer, headers, rules),
    request: ({ key }) => charge(budgetOf(key), REQUEST_COST),
    overspent,
    seatOf: ({ key }) => {
      refuseFull()
      const budget = budgetOf(key)
      charge(budget, SOCKET_COST)
      const payers = key === undefined ? NOBODY : shares.accountOf('address', key).alone
      refuseShare(payers)
      return { key, payers, budget }
    },
    sit: ({ payers }) => shares.take(payers, 'connections', 1),
    rise: ({ payers }) => shares.give(payers, 'connections', 1),
    spend: ({ budget }, tokens) => {
      if (budget) rate.spend(budget, tokens)
    },
    allows: ({ budget }) => !isSpent(budget),
    isOverdrawn: ({ budget }) => budget !== undefined && rate.isOverdrawn(budget),
  }
}
