/** What the person does with a link and what is proposed behind it, but for approving: each makes a new state of the old. */
import { rpcError } from '@heliograph/shared/errors'
import type { PairingUri } from '@heliograph/shared/wire/pairing-uri'
import { bytesToHex } from '@noble/hashes/utils.js'
import { sessionError } from './codes.ts'
import { rejectedBy } from './methods.ts'
import { refuse } from './outgoing.ts'
import { NOTHING_SEEN } from './seen.ts'
import { type Proposal, pairingOf, type SessionState, withoutPairing, withPairing } from './state.ts'

/** How long a link without an end of its own is good for, in ms. */
export const LINK_LIFETIME = 5 * 60_000
export const MAX_PAIRINGS = 50
/** What a link calls the relays' protocol. */
export const PROTOCOL = 'irn'

/** Throws -32602 for a link that was used, is over, or speaks another protocol. */
export const assertUsable = (state: SessionState, { topic, relay, expiryTimestamp }: PairingUri, now: number): void => {
  if (relay.protocol !== PROTOCOL) throw rpcError('invalidParams', 'The link is for a relay of another protocol')
  if (expiryTimestamp !== undefined && expiryTimestamp * 1000 <= now)
    throw rpcError('invalidParams', 'The link is too old. Make a new one in the other app.')
  if (pairingOf(state, topic))
    throw rpcError('invalidParams', 'The link was used already. Make a new one in the other app.')
}

/** A pairing that has brought its session makes room for another. Throws -32005 where there is none. */
const withRoom = (state: SessionState): SessionState => {
  if (state.pairings.length < MAX_PAIRINGS) return state
  const oldest = state.pairings.find(({ used }) => used)
  if (!oldest) throw rpcError('limitExceeded', `A wallet holds at most ${MAX_PAIRINGS} pairings`)
  return withoutPairing(state, oldest.topic)
}

/** Listens for the proposal behind a link, at that relay. Throws as `assertUsable`. */
export const pair = (state: SessionState, uri: PairingUri, relay: string, now: number): SessionState => {
  assertUsable(state, uri, now)
  const left = withRoom(state)
  const { topic, symKey, expiryTimestamp } = uri
  const expiresAt = Math.min((expiryTimestamp ?? Number.POSITIVE_INFINITY) * 1000, now + LINK_LIFETIME)
  const pairing = {
    topic,
    symKey: bytesToHex(symKey),
    relay,
    seen: NOTHING_SEEN,
    expiresAt,
    failure: null,
    used: false,
  }
  return { ...left, pairings: [...left.pairings, pairing] }
}

/** Names a proposal in the whole wallet. */
export const proposalKey = ({ pairing, id }: Pick<Proposal, 'pairing' | 'id'>): string => `${pairing} ${id}`

/** Throws -32602. */
export const findProposal = (state: SessionState, key: string): Proposal => {
  const proposal = state.proposals.find(candidate => proposalKey(candidate) === key)
  if (!proposal) throw rpcError('invalidParams', 'There is no such proposal any more')
  return proposal
}

export const withoutProposal = (state: SessionState, proposal: Proposal): SessionState => ({
  ...state,
  proposals: state.proposals.filter(other => other !== proposal),
})

export const rejectProposal = (state: SessionState, proposal: Proposal, now: number): SessionState => {
  const pairing = pairingOf(state, proposal.pairing)
  const left = withoutProposal(state, proposal)
  if (!pairing) return left
  const method = 'wc_sessionPropose'
  const error = sessionError('userRejected').toJSON()
  return refuse(
    withPairing(left, pairing.topic, { used: true, rejections: (pairing.rejections ?? 0) + 1 }),
    pairing,
    { id: proposal.id, method },
    error,
    now,
    rejectedBy(method),
  )
}

/** Takes back a link for which nothing was settled yet. */
export const forgetPairing = (state: SessionState, topic: string, now: number): SessionState => {
  const proposals = state.proposals.filter(({ pairing }) => pairing === topic)
  return withoutPairing(
    proposals.reduce((left, proposal) => rejectProposal(left, proposal, now), state),
    topic,
  )
}

/** Rejects all that is proposed; the links behind are used up with that. */
export const rejectProposals = (state: SessionState, now: number): SessionState =>
  state.proposals.reduce((left, { pairing }) => forgetPairing(left, pairing, now), state)
