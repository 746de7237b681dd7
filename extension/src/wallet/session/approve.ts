/** Approves a proposal. */
import { deriveSymKey, topicOf, x25519PublicKey } from '@heliograph/shared/wire/envelope'
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import { rpcError } from '../text/errors.ts'
import { SESSION_LIFETIME } from './changes.ts'
import { assertConforming, type GrantedNamespaces, grantedChains } from './namespaces.ts'
import { answer, ask } from './outgoing.ts'
import { endPairing, PROTOCOL, proposalKey, withoutProposal } from './pairing.ts'
import { NOTHING_SEEN } from './seen.ts'
import { type Proposal, pairingOf, type Session, type SessionState } from './state.ts'

const MAX_SESSIONS = 100
const KEY_BYTES = 32

export type Approval = {
  namespaces: GrantedNamespaces
  /** Expiry as Unix time in ms, or null for the default expiry, which a peer may extend. */
  endsAt: number | null
  /** The wallet's own metadata. */
  metadata: { name: string; description: string; url: string; icons: readonly string[] }
}

/**
 * Settles a session for the proposal and ends its pairing. Throws 5001, 5002, 5003 and 5103 if a required part is
 * missing in the namespaces.
 */
export const approve = (
  state: SessionState,
  proposal: Proposal,
  { namespaces, endsAt, metadata }: Approval,
  now: number,
): SessionState => {
  const pairing = pairingOf(state, proposal.pairing)
  if (!pairing) throw rpcError('invalidParams', 'pairingOver')
  if (state.sessions.length >= MAX_SESSIONS) throw rpcError('limitExceeded', 'tooManySessions', { limit: MAX_SESSIONS })
  assertConforming(proposal.required, namespaces)
  const privateKey = randomBytes(KEY_BYTES)
  const self = bytesToHex(x25519PublicKey(privateKey))
  const symKey = deriveSymKey(privateKey, hexToBytes(proposal.proposer.publicKey))
  privateKey.fill(0)
  const topic = topicOf(symKey)
  const expiresAt = endsAt ?? now + SESSION_LIFETIME
  const session: Session = {
    topic,
    symKey: bytesToHex(symKey),
    relay: pairing.relay,
    seen: NOTHING_SEEN,
    proposal: proposalKey(proposal),
    self,
    peer: proposal.proposer,
    required: proposal.required,
    optional: proposal.optional,
    namespaces,
    chainId: grantedChains(namespaces)[0] ?? 0,
    createdAt: now,
    expiresAt,
    isEndFixed: endsAt !== null,
    isAcknowledged: false,
    lastSeen: null,
    approved: 0,
    rejected: 0,
    sent: [],
  }
  const relay = { protocol: PROTOCOL }
  const method = 'wc_sessionPropose'
  const answered = answer(
    withoutProposal(state, proposal),
    pairing,
    { id: proposal.id, method },
    { relay, responderPublicKey: self },
    now,
  )
  const settlement = {
    relay,
    namespaces,
    controller: { publicKey: self, metadata },
    expiry: Math.floor(expiresAt / 1000),
  }
  const ended = endPairing(answered, pairing.topic, now)
  const joined = { ...ended, sessions: [...ended.sessions, session] }
  return ask(joined, session, 'wc_sessionSettle', settlement, now)
}
