/** The content of the wallet's window, and the state of its page, which outlives workers. */
import type { RequestView, UiMethod, UiMethods, UiState } from '../../extension/src/messages.ts'

export type Deciding = UiMethods['decide'][0]

/** True while a request cannot be approved because the node is slow. */
export const isWaiting = (findings: RequestView['findings']): boolean =>
  findings.some(({ name }) => name === 'waitingForNode')

/**
 * Returns the requests that the window shows. Unlock requests are left out, because unlocking the wallet answers them.
 */
export const itemsOf = ({ requests }: UiState): RequestView[] =>
  requests.filter(({ effect }) => effect.kind !== 'unlock')

/** A call of a wallet page. */
export type Call = { method: UiMethod; params: unknown; resolve(result: unknown): void; reject(error: unknown): void }

/** Requests that the page showed and decided, and its repeatable calls without a response. */
export type InWindow = { shown: Set<string>; decided: Set<string>; sent: Set<Call>; wasLocked: boolean }

export const emptyWindow = (): InWindow => ({ shown: new Set(), decided: new Set(), sent: new Set(), wasLocked: false })

/**
 * True if the window closes after its last request. It stays open until the outcome of a decision is known. It also
 * stays open if a request ended without the user's decision, to say so.
 */
export const isDone = ({ shown, decided, sent, wasLocked }: InWindow): boolean =>
  sent.size === 0 && (decided.size > 0 || wasLocked) && [...shown].every(id => decided.has(id))

/** Returns a name for the revision of a request on which the user acts. */
export const sightOf = ({ id, revision }: Pick<Deciding, 'id' | 'revision'>): string => `${id} ${revision}`
