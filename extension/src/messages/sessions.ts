/** Remote sessions: relays, links, proposals and peers. */

/** A peer of a remote session. All of it is the peer's own claim, but for the key, in hex, which it has shown to hold. */
export type PeerView = { name: string; url: string; description: string; key: string }

/** Who asks over a relay. `session` names the session, which ends at `expiresAt`, ms since 1970. */
export type RequesterView = PeerView & { session: string; relay: string; expiresAt: number }

/**
 * A relay of the person's. `idle` has nothing to hear or to say, `waiting` was lost and is tried again at `retryAt`; `error`
 * says why it was lost. `since` is when the phase began, `latency` how long it took to answer, in ms.
 */
export type RelayView = {
  url: string
  phase: 'idle' | 'connecting' | 'connected' | 'waiting'
  since: number | null
  latency: number | null
  error: string | null
  retryAt: number | null
}

/** A link that waits for its proposal. `since` is when the wallet began to listen at this relay, ms since 1970. */
export type PairingView = { id: string; relay: string; since: number; expiresAt: number }

/** A link over which the wallet refused what the app proposed, and why. */
export type RefusedLinkView = { id: string; failure: string }

/** What a peer does not do without; chains as `eip155:1`. */
export type RequiredView = {
  chains: readonly string[]
  methods: readonly string[]
  events: readonly string[]
}

/** What a peer asks to be given, as far as the wallet has it; of that, `required` is what it does not do without. */
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
 * `origin` names the session among those who ask; `chainId` is the network that the peer is on; `lastSeen` when it was heard of, ms since 1970. `offered` are the methods
 * that it asked for and can be given, of which `methods` are those it has.
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

/** Everything of remote sessions. The first relay is taken where nothing else is said. */
export type RemoteView = {
  relays: readonly RelayView[]
  pairings: readonly PairingView[]
  refused: readonly RefusedLinkView[]
  proposals: readonly ProposalView[]
  sessions: readonly SessionView[]
}
