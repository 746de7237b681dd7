/** The state of remote sessions: one JSON value, encrypted and updated as a whole. */
import type { Failure } from '@heliograph/shared/errors'
import type { RawId } from '@heliograph/shared/wire/json-rpc'
import type { GrantedNamespaces, WantedNamespaces } from './namespaces.ts'

/** A peer's metadata and public key in hex. The metadata is a claim; only the key is verified. */
export type Peer = { publicKey: string; name: string; description: string; url: string }

/** Message hashes and request ids received on a topic: see seen.ts. */
export type Seen = { hashes: readonly string[]; ids: readonly RawId[]; floor: RawId }

/** A topic at one relay, with its symmetric key (32 bytes in hex). */
export type Channel = { topic: string; symKey: string; relay: string; seen: Seen }

/**
 * A link that waits for its proposal, or for the user's decision. All times are Unix times in ms. `since` is when the
 * subscription at this relay started, and `usedUntil` how long the link is remembered after its use.
 */
export type Pairing = Channel & { since: number; expiresAt: number; usedUntil: number }

/**
 * A used link, which is rejected before `until`. `failure` is the error if the wallet rejected its proposal
 * automatically.
 */
export type UsedLink = { topic: string; until: number; failure: Failure | null }

/** A pending proposal. `id` is the id of its message. */
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

/** A request by the wallet that the peer has not answered yet. */
export type Sent = { id: number; method: string }

export type Session = Channel & {
  /** Key of the proposal that led to the session. */
  proposal: string
  /** The wallet's public key in hex. */
  self: string
  peer: Peer
  required: WantedNamespaces
  optional: WantedNamespaces
  namespaces: GrantedNamespaces
  /** The chain that was last sent to the peer. */
  chainId: number
  createdAt: number
  expiresAt: number
  /** True if the user chose the expiry, which a peer then cannot extend. */
  isEndFixed: boolean
  /** True if the peer has acknowledged the settlement. */
  isAcknowledged: boolean
  /** Unix time of the peer's last message in ms. */
  lastSeen: number | null
  approved: number
  rejected: number
  sent: readonly Sent[]
}

/** A peer's request that has no response yet. */
export type PendingRequest = {
  id: RawId
  topic: string
  method: string
  params: unknown
  chainId: number
  expiresAt: number
}

/**
 * An encrypted message that is not published yet. `ttl` is in seconds. It is dropped at `expiresAt`, a Unix time in ms.
 */
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

/**
 * A relay, and the wallet's key for it (32 bytes in hex). Each relay gets a different key, so relays cannot link the
 * wallet.
 */
export type Relay = { url: string; seed: string }

export type SessionState = {
  /** The first relay is the default. */
  relays: readonly Relay[]
  pairings: readonly Pairing[]
  /** Used links, newest last. */
  usedLinks: readonly UsedLink[]
  proposals: readonly Proposal[]
  sessions: readonly Session[]
  requests: readonly PendingRequest[]
  outbox: readonly Outgoing[]
  /** Id of the wallet's last message. Ids increase. */
  lastId: number
}

/** Returns the state before the first pairing. */
export const initialState = (relays: readonly Relay[]): SessionState => ({
  relays,
  pairings: [],
  usedLinks: [],
  proposals: [],
  sessions: [],
  requests: [],
  outbox: [],
  lastId: 0,
})

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
