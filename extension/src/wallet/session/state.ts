/** All that the wallet knows of remote sessions. It is one value, plain JSON, sealed as a whole, and changed as a whole. */
import type { RpcErrorObject } from '@heliograph/shared/errors'
import type { RawId } from '@heliograph/shared/wire/json-rpc'
import type { GrantedNamespaces, WantedNamespaces } from './namespaces.ts'

/** Who a peer says it is, and the public key of its side, in hex: only the key is more than a claim. */
export type Peer = { publicKey: string; name: string; description: string; url: string }

/** What was seen on a topic, so that nothing counts twice: see seen.ts. */
export type Seen = { hashes: readonly string[]; ids: readonly RawId[]; floor: RawId }

/** A topic whose key the wallet has, at one relay. Keys are 32 bytes in hex. */
export type Channel = { topic: string; symKey: string; relay: string; seen: Seen }

/**
 * A link that waits for its proposal, or for the person to decide it. Times are ms since 1970: `since` is when the wallet
 * began to listen at this relay, `usedUntil` for how long the link is remembered once it is used.
 */
export type Pairing = Channel & { since: number; expiresAt: number; usedUntil: number }

/** A link that is not taken again before `until`. `failure` is why the wallet refused what came over it, if it did. */
export type UsedLink = { topic: string; until: number; failure: RpcErrorObject | null }

/** A proposal that waits for the person. `id` is that of its message. */
export type Proposal = {
  id: RawId
  pairing: string
  relay: string
  proposer: Peer
  required: WantedNamespaces
  optional: WantedNamespaces
  receivedAt: number
  expiresAt: number
}

/** A request of the wallet that the peer has not answered. */
export type Sent = { id: number; method: string }

export type Session = Channel & {
  /** The key of the proposal that it was made of. */
  proposal: string
  /** The public key of this side, in hex. */
  self: string
  peer: Peer
  required: WantedNamespaces
  optional: WantedNamespaces
  namespaces: GrantedNamespaces
  /** The chain that the peer was told last. */
  chainId: number
  createdAt: number
  expiresAt: number
  /** Whether the person chose the end, which a peer then cannot put off. */
  isEndFixed: boolean
  /** Whether the peer has said that it took what was settled. */
  isAcknowledged: boolean
  /** When the peer was heard of last. */
  lastSeen: number | null
  approved: number
  rejected: number
  sent: readonly Sent[]
}

/** A request of a peer that was not answered. */
export type PendingRequest = {
  id: RawId
  topic: string
  method: string
  params: unknown
  chainId: number
  expiresAt: number
}

/** A sealed message on its way to a relay. `ttl` is in seconds, `expiresAt` is when it is of no use any more. */
export type Outgoing = {
  id: number
  relay: string
  topic: string
  message: string
  tag: number
  ttl: number
  prompt: boolean
  expiresAt: number
}

/** A relay that the person has, and the wallet's key there: 32 bytes in hex, another for each, so that relays cannot tell. */
export type Relay = { url: string; seed: string }

export type SessionState = {
  /** The first is taken where nothing else is said. */
  relays: readonly Relay[]
  pairings: readonly Pairing[]
  /** The newest last. */
  usedLinks: readonly UsedLink[]
  proposals: readonly Proposal[]
  sessions: readonly Session[]
  requests: readonly PendingRequest[]
  outbox: readonly Outgoing[]
  /** The last id given to a message of the wallet: ids only rise. */
  lastId: number
}

/** The session or the pairing of a topic. */
export const sessionOf = (state: SessionState, topic: string): Session | undefined =>
  state.sessions.find(session => session.topic === topic)
export const pairingOf = (state: SessionState, topic: string): Pairing | undefined =>
  state.pairings.find(pairing => pairing.topic === topic)

const replace = <T extends { topic: string }>(all: readonly T[], topic: string, change: Partial<T>): T[] =>
  all.map(one => (one.topic === topic ? { ...one, ...change } : one))

export const withSession = (state: SessionState, topic: string, change: Partial<Session>): SessionState => ({
  ...state,
  sessions: replace(state.sessions, topic, change),
})
export const withPairing = (state: SessionState, topic: string, change: Partial<Pairing>): SessionState => ({
  ...state,
  pairings: replace(state.pairings, topic, change),
})
/** Changes what was seen on a topic. */
export const withSeen = (state: SessionState, topic: string, change: (seen: Seen) => Seen): SessionState => {
  const session = sessionOf(state, topic)
  if (session) return withSession(state, topic, { seen: change(session.seen) })
  const pairing = pairingOf(state, topic)
  return pairing ? withPairing(state, topic, { seen: change(pairing.seen) }) : state
}
export const withoutSession = (state: SessionState, topic: string): SessionState => ({
  ...state,
  sessions: state.sessions.filter(session => session.topic !== topic),
  requests: state.requests.filter(request => request.topic !== topic),
})
export const withoutPairing = (state: SessionState, topic: string): SessionState => ({
  ...state,
  pairings: state.pairings.filter(pairing => pairing.topic !== topic),
})
