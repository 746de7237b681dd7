/** Views of remote sessions for the wallet's pages. */
import type {
  PairingView,
  ProposalView,
  RefusedLinkView,
  RelayView,
  RemoteView,
  RequiredView,
  SessionPeerView,
  SessionView,
} from '../../messages.ts'
import { sessionOrigin } from '../sites/sites.ts'
import { reasonView } from '../text/errors.ts'
import { grantedAccounts, grantedChains, type Offer } from './namespaces.ts'
import { proposalKey } from './pairing.ts'
import type { RelayStatus } from './relay-client.ts'
import type { Pairing, Peer, Proposal, Session, SessionState, UsedLink } from './state.ts'

const IDLE: Omit<RelayStatus, 'since'> = { phase: 'idle', latency: null, error: null, retryAt: null }

const relayView = (url: string, status: RelayStatus | null): RelayView => {
  const { error, ...others } = status ?? IDLE
  return { url, since: null, ...others, error: error && reasonView(error) }
}

const peerView = ({ publicKey, name, url, description }: Peer) => ({ name, url, description, key: publicKey })

const pairingView = ({ topic, relay, since, expiresAt }: Pairing): PairingView => ({
  id: topic,
  relay,
  since,
  expiresAt,
})

const refusedViews = ({ topic, failure }: UsedLink): RefusedLinkView[] =>
  failure ? [{ id: topic, failure: reasonView(failure) }] : []

const requiredView = ({ required: { eip155 } }: Pick<Proposal, 'required'>): RequiredView => ({
  chains: eip155?.chains ?? [],
  methods: eip155?.methods ?? [],
  events: eip155?.events ?? [],
})

const proposalView = (proposal: Proposal, offer: Offer): ProposalView => ({
  id: proposalKey(proposal),
  pairing: proposal.pairing,
  relay: proposal.relay,
  peer: peerView(proposal.proposer),
  createdAt: proposal.receivedAt,
  expiresAt: proposal.expiresAt,
  ...offer,
  required: requiredView(proposal),
})

const sessionView = (session: Session, offer: Offer): SessionView => ({
  id: session.topic,
  origin: sessionOrigin(session.topic),
  relay: session.relay,
  peer: peerView(session.peer),
  accounts: grantedAccounts(session.namespaces),
  chainIds: grantedChains(session.namespaces),
  chainId: session.chainId,
  methods: session.namespaces.eip155?.methods ?? [],
  offered: offer.methods,
  required: requiredView(session),
  events: session.namespaces.eip155?.events ?? [],
  since: session.createdAt,
  expiresAt: session.expiresAt,
  isAcknowledged: session.isAcknowledged,
  lastSeen: session.lastSeen,
  approved: session.approved,
  rejected: session.rejected,
})

export const sessionPeerView = (session: Session): SessionPeerView => ({
  ...peerView(session.peer),
  session: session.topic,
  relay: session.relay,
  expiresAt: session.expiresAt,
})

export const NO_REMOTE: RemoteView = { relays: [], pairings: [], refused: [], proposals: [], sessions: [] }

/** Creates the view for pages. `offerOf` returns the offer for a peer's requested namespaces. */
export const remoteView = (
  state: SessionState,
  status: (url: string) => RelayStatus | null,
  offerOf: (wants: Pick<Proposal, 'required' | 'optional'>) => Offer,
): RemoteView => ({
  relays: state.relays.map(({ url }) => relayView(url, status(url))),
  pairings: state.pairings.map(pairingView),
  refused: state.usedLinks.flatMap(refusedViews),
  proposals: state.proposals.map(proposal => proposalView(proposal, offerOf(proposal))),
  sessions: state.sessions.map(session => sessionView(session, offerOf(session))),
})
