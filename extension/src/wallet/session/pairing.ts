/**
 * A link's life cycle until its proposals are decided. For approval, see approve.ts. Each function returns a new state.
 */
import { type Failure, toFailure } from '@heliograph/shared/errors'
import type { PairingUri } from '@heliograph/shared/wire/pairing-uri'
import { bytesToHex } from '@noble/hashes/utils.js'
import { rpcError } from '../text/errors.ts'
import { sessionError } from './codes.ts'
import { type Delivery, refusedBy, rejectedBy } from './methods.ts'
import { refuse } from './outgoing.ts'
import { NOTHING_SEEN } from './seen.ts'
import { type Proposal, pairingOf, type SessionState, withoutPairing, withPairing } from './state.ts'

/** Maximum time in ms that a link waits for its proposal. */
const LINK_LIFETIME = 5 * 60_000
/** Time in ms for which a used link without an `expiryTimestamp` is remembered. */
const USED_LIFETIME = 30 * 24 * 60 * 60_000
export const MAX_PAIRINGS = 50
/** Maximum number of used links that are remembered. The oldest is forgotten first. */
export const MAX_USED_LINKS = 200
/** The relay protocol that links must name. */
export const PROTOCOL = 'irn'

const METHOD = 'wc_sessionPropose'

/** Throws -32602 if the link was used, has expired, or names another protocol. */
export const assertUsable = (state: SessionState, { topic, relay, expiryTimestamp }: PairingUri, now: number): void => {
  if (relay.protocol !== PROTOCOL) throw rpcError('invalidParams', 'linkOtherProtocol')
  if (expiryTimestamp !== undefined && expiryTimestamp * 1000 <= now) throw rpcError('invalidParams', 'linkExpired')
  if (state.usedLinks.some(used => used.topic === topic)) throw rpcError('invalidParams', 'linkUsed')
}

/** True if a proposal from this link is pending. */
const hasProposal = ({ proposals }: SessionState, topic: string): boolean =>
  proposals.some(({ pairing }) => pairing === topic)

/**
 * Moves a link to another relay. Does nothing if the link already has a pending proposal. Throws -32602 if the link
 * does not exist.
 */
export const movePairing = (state: SessionState, topic: string, relay: string, now: number): SessionState => {
  const pairing = pairingOf(state, topic)
  if (!pairing) throw rpcError('invalidParams', 'linkExpired')
  if (pairing.relay === relay || hasProposal(state, topic)) return state
  return withPairing(state, topic, { relay, since: now })
}

/**
 * Subscribes to a link at this relay. Moves the link if it is already waiting at another one. Throws like
 * `assertUsable`.
 */
export const pair = (state: SessionState, uri: PairingUri, relay: string, now: number): SessionState => {
  const { topic, symKey, expiryTimestamp } = uri
  assertUsable(state, uri, now)
  if (pairingOf(state, topic)) return movePairing(state, topic, relay, now)
  if (state.pairings.length >= MAX_PAIRINGS) throw rpcError('limitExceeded', 'tooManyPairings', { limit: MAX_PAIRINGS })
  const endsAt = expiryTimestamp === undefined ? undefined : expiryTimestamp * 1000
  const pairing = {
    topic,
    symKey: bytesToHex(symKey),
    relay,
    seen: NOTHING_SEEN,
    since: now,
    expiresAt: Math.min(endsAt ?? Number.POSITIVE_INFINITY, now + LINK_LIFETIME),
    usedUntil: endsAt ?? now + USED_LIFETIME,
  }
  return { ...state, pairings: [...state.pairings, pairing] }
}

/** Returns a proposal's id, which is unique in the wallet. */
export const proposalKey = ({ pairing, id }: Pick<Proposal, 'pairing' | 'id'>): string => `${pairing} ${id}`

/** Returns the proposal. Throws -32602 if it does not exist. */
export const findProposal = (state: SessionState, key: string): Proposal => {
  const proposal = state.proposals.find(candidate => proposalKey(candidate) === key)
  if (!proposal) throw rpcError('invalidParams', 'proposalGone')
  return proposal
}

export const withoutProposal = (state: SessionState, proposal: Proposal): SessionState => ({
  ...state,
  proposals: state.proposals.filter(other => other !== proposal),
})

const answerWith = (
  state: SessionState,
  proposal: Proposal,
  error: Failure,
  delivery: Delivery,
  now: number,
): SessionState => {
  const pairing = pairingOf(state, proposal.pairing)
  const left = withoutProposal(state, proposal)
  return pairing ? refuse(left, pairing, { id: proposal.id, method: METHOD }, error, now, delivery) : left
}

/** Drops a pairing, and remembers its link as used. */
const close = (state: SessionState, topic: string, failure: Failure | null): SessionState => {
  const pairing = pairingOf(state, topic)
  if (!pairing) return state
  const used = { topic, until: pairing.usedUntil, failure }
  return { ...withoutPairing(state, topic), usedLinks: [...state.usedLinks, used].slice(-MAX_USED_LINKS) }
}

const reject = (state: SessionState, proposal: Proposal, now: number): SessionState =>
  answerWith(state, proposal, toFailure(sessionError('userRejected')), rejectedBy(METHOD), now)

/** Ends a pairing, and rejects its pending proposals with 5000. */
export const endPairing = (state: SessionState, topic: string, now: number): SessionState => {
  const waiting = state.proposals.filter(({ pairing }) => pairing === topic)
  return close(
    waiting.reduce((left, proposal) => reject(left, proposal, now), state),
    topic,
    null,
  )
}

/** Ends a pairing after an automatic rejection, unless it has another pending proposal. */
export const endRefused = (state: SessionState, topic: string, failure: Failure): SessionState =>
  hasProposal(state, topic) ? state : close(state, topic, failure)

/** Rejects a proposal with 5000. The pairing ends with its last proposal. */
export const rejectProposal = (state: SessionState, proposal: Proposal, now: number): SessionState => {
  const left = reject(state, proposal, now)
  return hasProposal(left, proposal.pairing) ? left : close(left, proposal.pairing, null)
}

/** Removes a link. It can be used again, unless it has a pending proposal. */
export const forgetPairing = (state: SessionState, topic: string, now: number): SessionState =>
  hasProposal(state, topic) ? endPairing(state, topic, now) : withoutPairing(state, topic)

/** Rejects all proposals and ends their pairings. */
export const rejectProposals = (state: SessionState, now: number): SessionState =>
  state.proposals.reduce((left, { pairing }) => endPairing(left, pairing, now), state)

/** Ends a pairing that the app has withdrawn, and removes its proposal. */
export const deletePairing = (state: SessionState, topic: string): SessionState =>
  close({ ...state, proposals: state.proposals.filter(({ pairing }) => pairing !== topic) }, topic, null)

/**
 * Returns the expiry times of pairings, proposals and used links as Unix times in ms. A pairing does not expire before
 * its proposals.
 */
export const pairingEnds = (state: SessionState): number[] => [
  ...state.pairings.filter(({ topic }) => !hasProposal(state, topic)).map(({ expiresAt }) => expiresAt),
  ...state.proposals.map(({ expiresAt }) => expiresAt),
  ...state.usedLinks.map(({ until }) => until),
]

/** Answers expired proposals with 8000, ends expired pairings, and drops expired used links. */
export const expirePairings = (state: SessionState, now: number): SessionState => {
  const expired = toFailure(sessionError('requestExpired'))
  const answered = state.proposals
    .filter(({ expiresAt }) => expiresAt <= now)
    .reduce((left, proposal) => answerWith(left, proposal, expired, refusedBy(METHOD), now), state)
  const ended = answered.pairings
    .filter(({ topic, expiresAt }) => !hasProposal(answered, topic) && (expiresAt <= now || hasProposal(state, topic)))
    .reduce((left, { topic }) => close(left, topic, null), answered)
  return { ...ended, usedLinks: ended.usedLinks.filter(({ until }) => until > now) }
}
