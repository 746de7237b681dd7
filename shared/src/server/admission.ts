/** How much may be connected and asked for at once: in all, and from one address. */
import { type Caller, type CallerRules, callerOf, peerOf } from './addresses.ts'
import { HttpError } from './http.ts'
import type { Peers } from './peers.ts'
import { type Budget, createRate } from './rate.ts'
import type { Refused } from './refusals.ts'
import { NOBODY, type Payers, type Shares, shareName, shareText } from './shares.ts'

/**
 * Connections beyond the bound that are still heard: a client that is refused is told why, and /health is answered.
 * Those beyond that are closed at once.
 */
const HEARD = 100
/** The same of one address. */
export const HEARD_OF_ADDRESS = 20

/** Seconds after which one that was refused may try again. */
const RETRY_AFTER = '5'

/** Tokens that a connection, a request over HTTP and a WebSocket with the check of its token cost. */
const CONNECTION_COST = 2
const REQUEST_COST = 10
const SOCKET_COST = 20

/** Addresses that have spent tokens of late, before those that have all of them again are looked for. */
const MANY = 10_000

/** Where a socket comes from: who pays for it, and what its address may still spend. An exempt address has neither. */
export type Seat = { payers: Payers; budget: Budget | undefined }

export type AdmissionRules = CallerRules & {
  connections: number
  /** Tokens a second of one address, and those that it may spend at once. */
  addressRate: number
  addressBurst: number
}

export type Admission = {
  /** A connection came from that address. False if it is one too many, and to be closed. */
  arrive: (peer: ArrayBuffer) => boolean
  /** A connection, or the socket it became, has gone. */
  leave: () => void
  /** Who asks, by the bytes of the address and X-Forwarded-For. */
  callerOf: (peer: ArrayBuffer, forwarded: string) => Caller
  /** Charges a request over HTTP. Throws HttpError 429 when the address has spent too much. */
  request: (caller: Caller) => void
  /** The seat of whoever asks for a socket. Throws HttpError 503 or 429 when there is none. */
  seatOf: (caller: Caller) => Seat
  sit: (seat: Seat) => void
  rise: (seat: Seat) => void
  /** Charges tokens to an address. */
  spend: (seat: Seat, tokens: number) => void
  /** False while the address has spent too much. */
  allows: (seat: Seat) => boolean
  /** The address went on as if nothing was refused, for as much as a whole burst. */
  isOverdrawn: (seat: Seat) => boolean
}

export type AdmissionOptions = {
  rules: AdmissionRules
  shares: Shares
  peers: Peers
  refused: Refused
  /** Milliseconds of any steady clock. */
  now?: () => number
}

export const createAdmission = (options: AdmissionOptions): Admission => {
  const { rules, shares, peers, refused, now = () => performance.now() } = options
  const rate = createRate(rules.addressRate, rules.addressBurst, now)
  const budgets = new Map<string, Budget>()
  let present = 0

  const refuse = (reason: string, status: number, words: string): never => {
    refused(reason)
    throw new HttpError(status, words, { 'Retry-After': RETRY_AFTER })
  }

  /** Forgets those who have all their tokens again and no socket that spends of them. */
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
    if (isTooMuch) refuse('address-rate', 429, 'your address asks for too much (address-rate)')
  }

  const isWelcome = (peer: ArrayBuffer): boolean => {
    const key = peerOf(peer, rules)
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
    callerOf: (peer, forwarded) => callerOf(peer, forwarded, rules),
    request: ({ key }) => charge(budgetOf(key), REQUEST_COST),
    seatOf: ({ key }) => {
      if (present > rules.connections)
        refuse('connections', 503, `at most ${rules.connections} connections (connections)`)
      const budget = budgetOf(key)
      charge(budget, SOCKET_COST)
      const payers = key === undefined ? NOBODY : shares.accountOf('address', key).alone
      const spent = shares.exhausted(payers, 'connections', 1)
      if (spent) refuse(shareName(spent, 'connections'), 429, shareText(spent, 'connections', shares.limits))
      return { payers, budget }
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
