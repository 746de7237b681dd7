/**
 * Handles a message from a relay. Never throws because of a relay's or a peer's data: messages that cannot be decrypted
 * or parsed are dropped, and parsed messages that break a rule get an error response.
 */
import { ValueError } from '@heliograph/shared/evm/value-error'
import { decodeEnvelope, openEnvelope } from '@heliograph/shared/wire/envelope'
import { decodeJsonRpc, type RpcRequest, type RpcResponse } from '@heliograph/shared/wire/json-rpc'
import { hexToBytes } from '@noble/hashes/utils.js'
import { shortHash } from '../storage/short-hash.ts'
import { refusedBy } from './methods.ts'
import { refuse } from './outgoing.ts'
import { errorFor, type Facts, type PeerRequest } from './peer-request.ts'
import { onPairing } from './receive-pairing.ts'
import { onAnswer, onSession } from './receive-session.ts'
import { hasSeenHash, hasSeenId, isOrdered, withHash, withId } from './seen.ts'
import { type Channel, pairingOf, type SessionState, sessionOf, withSeen } from './state.ts'

export type Arrival = { relay: string; topic: string; message: string }

/**
 * Decrypts an envelope. Returns undefined on failure. Both sides have the topic's key, so the envelope type must be 0.
 */
const textOf = (symKey: string, message: string): string | undefined => {
  try {
    const envelope = decodeEnvelope(message)
    return envelope.type === 0 ? openEnvelope(envelope, hexToBytes(symKey)) : undefined
  } catch (error) {
    if (error instanceof ValueError) return undefined
    throw error
  }
}

const frameOf = (symKey: string, message: string): RpcRequest | RpcResponse | undefined => {
  const text = textOf(symKey, message)
  const frame = text === undefined ? undefined : decodeJsonRpc(text)
  return frame?.kind === 'request' || frame?.kind === 'response' ? frame : undefined
}

const onRequest = (state: SessionState, channel: Channel, request: PeerRequest, facts: Facts): SessionState => {
  try {
    const session = sessionOf(state, channel.topic)
    if (session) return onSession(state, session, request, facts)
    const pairing = pairingOf(state, channel.topic)
    return pairing ? onPairing(state, pairing, request, facts) : state
  } catch (thrown) {
    return refuse(state, channel, request, errorFor(thrown), facts.now, refusedBy(request.method))
  }
}

/** Returns the state after a message. If nothing changes, returns the same state. */
export const receive = (state: SessionState, { relay, topic, message }: Arrival, facts: Facts): SessionState => {
  const channel = sessionOf(state, topic) ?? pairingOf(state, topic)
  // A topic belongs to one relay. Messages on it from other relays are ignored.
  if (channel?.relay !== relay || channel.expiresAt <= facts.now) return state
  const hash = shortHash(message)
  if (hasSeenHash(channel.seen, hash)) return state
  const frame = frameOf(channel.symKey, message)
  if (!frame?.id) return state
  const known = withSeen(state, topic, seen => withHash(seen, hash))
  const { id } = frame
  if (frame.kind === 'response') return onAnswer(known, channel.topic, frame, facts)
  if (!isOrdered(id) || hasSeenId(channel.seen, id)) return known
  const noted = withSeen(known, topic, seen => withId(seen, id))
  return onRequest(noted, channel, { id, method: frame.method, params: frame.params }, facts)
}
