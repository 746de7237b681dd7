/** Remote sessions: relays, pairing links, proposals and peers. */
import type { ReasonView } from './errors.ts'

/**
 * A peer of a remote session. All fields are unverified claims of the peer, except its key (hex), which is verified.
 */
export type PeerView = { name: string; url: string; description: string; key: string }

/** A peer that sent a request over a relay, with its session. The session ends at `expiresAt` (Unix ms). */
export type SessionPeerView = PeerView & { session: string; relay: string; expiresAt: number }

/**
 * A configured relay. `idle`: not needed at present. `waiting`: the connection was lost because of `error`, and the
 * wallet reconnects at `retryAt`. `since` is the start of the phase in Unix ms, `latency` the response time in ms.
 */
export type RelayView = {
  url: string
  phase: 'idle' | 'connecting' | 'connected' | 'waiting'
  since: number | null
  latency: number | null
  error: ReasonView | null
  retryAt: number | null
}

/** A pairing link whose proposal is pending. `since` is when the wallet subscribed on this relay, in Unix ms. */
export type PairingView = { id: string; relay: string; since: number; expiresAt: number }

/** A pairing link whose proposal the wallet refused, and the reason. */
export type RefusedLinkView = { id: string; failure: ReasonView }

/** A peer's required namespaces. Chains are written `eip155:1`. */
export type RequiredView = {
  chains: readonly string[]
  methods: readonly string[]
  events: readonly string[]
}

/** A session proposal, reduced to the parts that the wallet supports. `required` is the part that the peer requires. */
export type ProposalView = {
  id: string
  pairing: string
  relay: string
  peer: PeerView
  createdAt: number
  expiresAt: number
  chainIds: readonly number[]
  methods: readonly string[]
  events: readonly string[]
  required: RequiredView
}

/**
 * A session. `origin` identifies it as a requester, `chainId` is the peer's network, and `lastSeen` is in Unix ms.
 * `offered` are the supported methods that the peer requested, and `methods` the granted ones.
 */
export type SessionView = {
  id: string
  origin: string
  relay: string
  peer: PeerView
  accounts: readonly string[]
  chainIds: readonly number[]
  chainId: number
  methods: readonly string[]
  offered: readonly string[]
  required: RequiredView
  events: readonly string[]
  since: number
  expiresAt: number
  isAcknowledged: boolean
  lastSeen: number | null
  approved: number
  rejected: number
}

/** State of remote sessions. The first relay is the default. */
export type RemoteView = {
  relays: readonly RelayView[]
  pairings: readonly PairingView[]
  refused: readonly RefusedLinkView[]
  proposals: readonly ProposalView[]
  sessions: readonly SessionView[]
}
