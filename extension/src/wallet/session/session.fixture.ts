/**
 * States for tests, and the peer's side of each topic: it encrypts messages to the wallet, and decrypts the wallet's
 * messages.
 */
import { decodeEnvelope, type Envelope, openEnvelope, sealEnvelope, topicOf } from '@heliograph/shared/wire/envelope'
import { encodeError, encodeRequest, encodeResult } from '@heliograph/shared/wire/json-rpc'
import { parsePairingUri } from '@heliograph/shared/wire/pairing-uri'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { ADDRESS, NOW } from '../wallet.fixture.ts'
import { abilitiesOf } from './abilities.ts'
import { approve } from './approve.ts'
import { grant, type Offer } from './namespaces.ts'
import { pair } from './pairing.ts'
import type { Facts } from './peer-request.ts'
import { receive } from './receive.ts'
import { type Channel, initialState, type Session, type SessionState } from './state.ts'

export const RELAY = 'wss://relay.example'
export const EMPTY: SessionState = initialState([{ url: RELAY, seed: '11'.repeat(32) }])

export const facts: Facts = {
  now: NOW,
  abilities: abilitiesOf([
    { chainId: 31337, prefixes: ['chain', 'eth'] },
    { chainId: 1, prefixes: ['chain', 'eth'] },
  ]),
}

export const SYM_KEY = '22'.repeat(32)
export const URI = `wc:${topicOf(hexToBytes(SYM_KEY))}@2?relay-protocol=irn&symKey=${SYM_KEY}`
/** Public key for the private key 77076d0a… in RFC 7748 §6.1. */
export const PEER_KEY = '8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a'

export const METADATA = { name: 'Quill', description: 'Notes', url: 'https://quill.example', icons: [] }
export const PROPOSAL = {
  relays: [{ protocol: 'irn' }],
  requiredNamespaces: {},
  optionalNamespaces: {
    eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: ['accountsChanged', 'chainChanged'] },
  },
  proposer: { publicKey: PEER_KEY, metadata: METADATA },
}
export const OFFER: Offer = {
  chainIds: [1],
  methods: ['personal_sign'],
  events: ['accountsChanged', 'chainChanged'],
}

export const paired = (): SessionState => pair(EMPTY, parsePairingUri(URI), RELAY, NOW)

let lastId = NOW * 1000
export const nextId = (): number => ++lastId

export const onlyPairing = ({ pairings: [pairing] }: SessionState) => {
  if (!pairing) throw new Error('No pairing')
  return pairing
}
/** The link's channel, whether or not the wallet still subscribes to it. */
export const LINK: Channel = onlyPairing(paired())

export const onlySession = ({ sessions: [session] }: SessionState): Session => {
  if (!session) throw new Error('No session')
  return session
}

/** Returns the relay's delivery of a peer's message. */
export const arrivalOf = ({ topic, symKey, relay }: Channel, text: string) => ({
  relay,
  topic,
  message: sealEnvelope(text, hexToBytes(symKey)),
})

/** Sends a peer's request. Returns the new state and the wallet's responses. */
export const peerAsks = (
  state: SessionState,
  channel: Channel,
  method: string,
  params: unknown,
  { id = nextId(), at = facts }: { id?: number | string; at?: Facts } = {},
) => {
  const after = receive(state, arrivalOf(channel, encodeRequest(`${id}`, method, params)), at)
  return { after, said: saidSince(state, after, channel), id }
}
export const peerAnswers = (state: SessionState, channel: Channel, id: number, result: unknown): SessionState =>
  receive(state, arrivalOf(channel, encodeResult(`${id}`, result)), facts)
export const peerRefuses = (state: SessionState, channel: Channel, id: number, code: number): SessionState =>
  receive(state, arrivalOf(channel, encodeError(`${id}`, { code, message: 'no' })), facts)

export type Said = {
  tag: number
  ttl: number
  id: number
  method?: string
  params?: unknown
  result?: unknown
  error?: { code: number; message: string }
}

const textIn = (symKey: string, message: string): string => {
  const envelope: Envelope = decodeEnvelope(message)
  return openEnvelope(envelope, hexToBytes(symKey))
}

/** Decrypts the wallet's new messages on a channel. */
export const saidSince = (before: SessionState, after: SessionState, { topic, symKey }: Channel): Said[] =>
  after.outbox
    .filter(outgoing => outgoing.topic === topic && !before.outbox.some(({ id }) => id === outgoing.id))
    .map(({ tag, ttl, message }) => ({ tag, ttl, ...JSON.parse(textIn(symKey, message)) }))

export const proposed = (proposal: unknown = PROPOSAL) => {
  const state = paired()
  return peerAsks(state, onlyPairing(state), 'wc_sessionPropose', proposal)
}

/** Returns the state with a session that its peer has acknowledged. */
export const settled = (offer: Offer = OFFER, proposal: unknown = PROPOSAL): SessionState => {
  const { after } = proposed(proposal)
  const [first] = after.proposals
  if (!first) throw new Error('No proposal')
  const state = approve(after, first, { namespaces: grant([ADDRESS], offer), endsAt: null, metadata: METADATA }, NOW)
  const session = onlySession(state)
  const [settlement] = session.sent
  return peerAnswers(state, session, settlement?.id ?? 0, true)
}

export const hexOf = bytesToHex
