/** Messages on a pairing topic: proposals, pings and deletion. */
import { deriveSymKey, x25519PublicKey } from '@heliograph/shared/wire/envelope'
import { parseParams } from '@heliograph/shared/wire/params'
import { hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import { rpcError, valueError } from '../text/errors.ts'
import { sessionError } from './codes.ts'
import { refusedBy } from './methods.ts'
import { assertCommon, assertSupported, parseWanted } from './namespaces.ts'
import { answer, refuse } from './outgoing.ts'
import { deletePairing, endRefused, PROTOCOL } from './pairing.ts'
import { errorFor, type Facts, type PeerRequest } from './peer-request.ts'
import { proposeSchema } from './schemas.ts'
import type { Pairing, Proposal, SessionState } from './state.ts'

/** Maximum lifetime of a proposal in ms. */
const PROPOSAL_LIFETIME = 5 * 60_000
/** Maximum number of pending proposals per pairing. */
const MAX_PROPOSALS = 5

/** Throws -32602 if no shared secret can be derived from the key. */
const assertUsable = (publicKey: string): void => {
  const probe = randomBytes(32)
  try {
    x25519PublicKey(probe)
    deriveSymKey(probe, hexToBytes(publicKey))
  } catch {
    throw rpcError('invalidParams', 'notX25519')
  }
}

const readProposal = (pairing: Pairing, { id, params }: PeerRequest, { now, abilities }: Facts): Proposal => {
  const { proposer, relays, ...asked } = parseParams(params, proposeSchema)
  if (relays && relays.length > 0 && !relays.some(({ protocol }) => protocol === PROTOCOL))
    throw rpcError('invalidParams', 'noCommonProtocol', { protocol: PROTOCOL })
  assertUsable(proposer.publicKey)
  const required = parseWanted(asked.requiredNamespaces)
  const optional = parseWanted(asked.optionalNamespaces)
  assertSupported(required, abilities)
  assertCommon(required, optional, abilities)
  const asItSays = (asked.expiryTimestamp ?? Number.POSITIVE_INFINITY) * 1000
  const expiresAt = Math.min(asItSays, now + PROPOSAL_LIFETIME)
  if (expiresAt <= now) throw sessionError('requestExpired')
  const { publicKey, metadata } = proposer
  const peer = { publicKey, ...metadata }
  return {
    id,
    pairing: pairing.topic,
    relay: pairing.relay,
    proposer: peer,
    required,
    optional,
    receivedAt: now,
    expiresAt,
  }
}

const onPropose = (state: SessionState, pairing: Pairing, request: PeerRequest, facts: Facts): SessionState => {
  try {
    const waiting = state.proposals.filter(proposal => proposal.pairing === pairing.topic)
    if (waiting.length >= MAX_PROPOSALS) throw rpcError('limitExceeded', 'tooManyProposals', { limit: MAX_PROPOSALS })
    return { ...state, proposals: [...state.proposals, readProposal(pairing, request, facts)] }
  } catch (thrown) {
    const failure = errorFor(thrown)
    const refused = refuse(state, pairing, request, failure, facts.now, refusedBy(request.method))
    return endRefused(refused, pairing.topic, failure)
  }
}

type Handler = (state: SessionState, pairing: Pairing, request: PeerRequest, facts: Facts) => SessionState

const handlers = new Map<string, Handler>([
  ['wc_sessionPropose', onPropose],
  ['wc_pairingPing', (state, pairing, request, { now }) => answer(state, pairing, request, true, now)],
  [
    'wc_pairingDelete',
    (state, pairing, request, { now }) => deletePairing(answer(state, pairing, request, true, now), pairing.topic),
  ],
])

/** Handles a request on a pairing topic. Throws the error for the peer. */
export const onPairing: Handler = (state, pairing, request, facts) => {
  const handler = handlers.get(request.method)
  // Includes wc_sessionAuthenticate: after this error, the client continues with the proposal that it sent along.
  if (!handler)
    throw sessionError('methodUnsupported', valueError('methodUnsupported', { method: request.method.slice(0, 60) }))
  return handler(state, pairing, request, facts)
}
