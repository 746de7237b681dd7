/**
 * The v2 protocol's envelopes, client tokens and pairing URIs, tested with `wire.json`, which names each vector's
 * source.
 */

import { decodeData, encodeData } from '@heliograph/shared/evm/hex'
import { assertSigned } from '@heliograph/shared/server/transport/jwt'
import { decodeDidKey, encodeDidKey } from '@heliograph/shared/wire/did-key'
import {
  decodeEnvelope,
  deriveSymKey,
  openEnvelope,
  sealEnvelope,
  sealEnvelopeFrom,
  topicOf,
  x25519PublicKey,
} from '@heliograph/shared/wire/envelope'
import { formatPairingUri, parsePairingUri } from '@heliograph/shared/wire/pairing-uri'
import { readJwt, signJwt, type TokenRules } from '@heliograph/shared/wire/relay-auth'
import { describe, expect, test } from 'vitest'
import vectors from './wire.json' with { type: 'json' }

const CLOCK_LEEWAY = 600

const bytes = (digits: string) => decodeData(`0x${digits}`)
const hex = (value: Uint8Array) => encodeData(value).slice(2)

describe('keys and topics', () => {
  test.each(vectors.topics)('the topic of $key', ({ key, topic }) => {
    expect(topicOf(bytes(key))).toBe(topic)
  })

  test.each(vectors.publicKeys)('the public key $publicKey', ({ privateKey, publicKey }) => {
    expect(hex(x25519PublicKey(bytes(privateKey)))).toBe(publicKey)
  })

  test.each(vectors.symKeys.valid)('the key shared with $peerPublicKey', ({ privateKey, peerPublicKey, symKey }) => {
    expect(hex(deriveSymKey(bytes(privateKey), bytes(peerPublicKey)))).toBe(symKey)
  })

  test.each(vectors.symKeys.invalid)('no shared key: $note', ({ privateKey, peerPublicKey }) => {
    expect(() => deriveSymKey(bytes(privateKey), bytes(peerPublicKey))).toThrow()
  })
})

describe('envelopes', () => {
  test.each(vectors.envelopes.valid)('type $type seals as $envelope does, but with another iv', vector => {
    const { symKey, text, senderPublicKey, envelope } = vector
    const sealed =
      senderPublicKey === undefined
        ? sealEnvelope(text, bytes(symKey))
        : sealEnvelopeFrom(text, bytes(symKey), bytes(senderPublicKey))
    expect(sealed).toHaveLength(envelope.length)
    const [ours, theirs] = [decodeEnvelope(sealed), decodeEnvelope(envelope)]
    expect({ ...ours, iv: theirs.iv, sealed: theirs.sealed }).toEqual(theirs)
    expect(ours.iv).not.toEqual(theirs.iv)
    expect(openEnvelope(ours, bytes(symKey))).toBe(text)
  })

  test.each(vectors.envelopes.valid)('type $type opens from $envelope', vector => {
    const envelope = decodeEnvelope(vector.envelope)
    expect(envelope.type).toBe(vector.type)
    expect(hex(envelope.iv)).toBe(vector.iv)
    const symKey =
      envelope.type === 1 && vector.receiverPrivateKey !== undefined
        ? deriveSymKey(bytes(vector.receiverPrivateKey), envelope.senderPublicKey)
        : bytes(vector.symKey)
    expect(openEnvelope(envelope, symKey)).toBe(vector.text)
  })

  test.each(vectors.envelopes.invalid)('refused: $note', ({ symKey, envelope, error }) => {
    expect(() => openEnvelope(decodeEnvelope(envelope), bytes(symKey))).toThrow(error)
  })
})

const verifyJwt = (token: string, rules: TokenRules) => assertSigned(readJwt(token, rules)).client

describe('client ids', () => {
  test.each(vectors.didKeys.valid)('$did', ({ seed, did, publicKey }) => {
    const key = decodeDidKey(did)
    if (publicKey !== undefined) expect(hex(key)).toBe(publicKey)
    expect(encodeDidKey(key)).toBe(did)
    const token = signJwt({ sub: '', aud: '', iat: 0, exp: 1 }, bytes(seed))
    expect(verifyJwt(token, { now: 0 })).toBe(did)
  })

  test.each(vectors.didKeys.invalid)('refused: $note', ({ did }) => {
    expect(() => decodeDidKey(did)).toThrow('did:key: must be the did:key of an Ed25519 public key')
  })
})

describe('client tokens', () => {
  test.each(vectors.tokens.valid)('$clientId signs to the byte and verifies', ({ seed, claims, clientId, token }) => {
    expect(signJwt(claims, bytes(seed))).toBe(token)
    const latest = claims.exp + CLOCK_LEEWAY - 1
    for (const now of [claims.iat - CLOCK_LEEWAY, claims.iat, latest])
      expect(verifyJwt(token, { now, audiences: ['wss://other.example.org', `${claims.aud}/`] })).toBe(clientId)
    expect(() => verifyJwt(token, { now: latest + 1 })).toThrow('expired')
  })

  test.each(vectors.tokens.invalid)('refused: $note', ({ token, now, audiences, error }) => {
    expect(() => verifyJwt(token, audiences === undefined ? { now } : { now, audiences })).toThrow(error)
  })
})

describe('pairing URIs', () => {
  test.each(vectors.pairingUris.valid)('$uri', ({ uri, parsed, canonical }) => {
    const pairing = parsePairingUri(uri)
    expect({ ...pairing, symKey: hex(pairing.symKey) }).toEqual(parsed)
    if (canonical) expect(formatPairingUri(pairing)).toBe(uri)
    else expect(parsePairingUri(formatPairingUri(pairing))).toEqual(pairing)
  })

  test.each(vectors.pairingUris.invalid)('refused: $note', ({ uri, error }) => {
    expect(() => parsePairingUri(uri)).toThrow(error)
  })
})
