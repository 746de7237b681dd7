/**
 * Requests that a person must decide, from their arrival to their answer. They are kept in the session store, so a
 * restart of the worker in between loses none and doubles none: the page sends its request again under the same id and
 * finds it here, as far as it had come.
 */
import type { RpcErrorObject } from '@heliograph/shared/errors'
import { rpcError } from '@heliograph/shared/errors'
import type { Address } from '@heliograph/shared/evm/address'
import type { Hex } from '@heliograph/shared/evm/hex'
import type { Effect, Finding } from '../messages.ts'
import { createCell, type Store } from './store.ts'

export type Decision = { approve: boolean; accounts: readonly Address[] }
export type Outcome = { result: unknown } | { error: RpcErrorObject }

/** What a method asks the person, frozen as it arrived: `payload` is what will be signed, `effect` what is shown of it. */
export type Draft = {
  account: Address | null
  payload: unknown
  effect: Effect
  findings: readonly Finding[]
}

export type WalletRequest = Draft & {
  /** Names the request in the whole wallet: no site can name another site's. */
  key: string
  origin: string
  method: string
  chainId: number
  createdAt: number
  decision: Decision | null
  /** The signed transaction, stored before it is first sent and sent again as it is, never signed again. */
  signed: Hex | null
  outcome: Outcome | null
}

export type Requests = {
  get(key: string): Promise<WalletRequest | undefined>
  /** Those that wait for the person, oldest first. */
  open(): Promise<readonly WalletRequest[]>
  /** Those that were decided and not yet carried out: what a stopped worker left behind. */
  unfinished(): Promise<readonly WalletRequest[]>
  /** Throws -32005 when the site has too many open, -32002 when it asks to connect a second time. */
  add(request: WalletRequest): Promise<void>
  /** Returns the request when this decided it, undefined when it was decided before or is unknown. */
  decide(key: string, decision: Decision): Promise<WalletRequest | undefined>
  keepSigned(key: string, signed: Hex): Promise<void>
  finish(key: string, outcome: Outcome): Promise<void>
}

export const MAX_OPEN_PER_SITE = 20
/** Answers kept for pages that ask again. */
export const MAX_KEPT_ANSWERS = 100

export const keyOf = (origin: string, id: string): string => `${origin} ${id}`

const isOpen = (request: WalletRequest) => request.decision === null && request.outcome === null
const asksToConnect = ({ effect }: WalletRequest) => effect.kind === 'connect' || effect.kind === 'unlock'

const assertRoom = (requests: readonly WalletRequest[], added: WalletRequest) => {
  const ofSite = requests.filter(request => isOpen(request) && request.origin === added.origin)
  if (ofSite.length >= MAX_OPEN_PER_SITE)
    throw rpcError('limitExceeded', `${MAX_OPEN_PER_SITE} requests of this site already wait for an answer`)
  if (asksToConnect(added) && ofSite.some(asksToConnect))
    throw rpcError('resourceUnavailable', `A request of ${added.method} already waits for an answer`)
}

/** All open requests and the newest answers. */
const withoutOldAnswers = (requests: readonly WalletRequest[]) => {
  const answered = requests.filter(request => request.outcome !== null)
  const dropped = new Set(answered.slice(0, Math.max(0, answered.length - MAX_KEPT_ANSWERS)))
  return requests.filter(request => !dropped.has(request))
}

export const createRequests = (session: Store): Requests => {
  const cell = createCell<readonly WalletRequest[]>(session, 'requests', [])
  const change = (key: string, part: (request: WalletRequest) => Partial<WalletRequest>) =>
    cell.update(requests => requests.map(request => (request.key === key ? { ...request, ...part(request) } : request)))

  return {
    get: async key => (await cell.read()).find(request => request.key === key),
    open: async () => (await cell.read()).filter(isOpen),
    unfinished: async () =>
      (await cell.read()).filter(({ decision, outcome }) => decision !== null && outcome === null),
    add: async added => {
      await cell.update(requests => {
        assertRoom(requests, added)
        return withoutOldAnswers([...requests, added])
      })
    },
    decide: async (key, decision) => {
      let decided: WalletRequest | undefined
      await change(key, request => {
        if (!isOpen(request)) return {}
        decided = { ...request, decision }
        return { decision }
      })
      return decided
    },
    keepSigned: async (key, signed) => void (await change(key, () => ({ signed }))),
    // The answer is all that is needed from here on; what was asked may be large.
    finish: async (key, outcome) => void (await change(key, () => ({ outcome, payload: null, findings: [] }))),
  }
}
