/**
 * Pairing URIs of the v2 protocol, shown as QR codes:
 * `wc:<topic>@2?expiryTimestamp=<seconds>&relay-protocol=irn&symKey=<64 hex digits>`, parameters in any order.
 * https://specs.walletconnect.com/2.0/specs/clients/core/pairing/pairing-uri
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base64nopad } from '@scure/base'
import { valueErrorsOf } from '../evm/value-error.ts'
import { linkReasons } from './reasons.ts'
import { fromUtf8 } from './text.ts'

/** `expiryTimestamp` is Unix time in seconds. `extras` are unknown parameters, URL-decoded. */
export type PairingUri = {
  topic: string
  symKey: Uint8Array
  relay: { protocol: string; data?: string }
  methods?: readonly string[]
  expiryTimestamp?: number
  extras: Readonly<Record<string, string>>
}

/** Maximum length in characters. Clients' URIs have about 200. */
const MAX_PAIRING_URI_LENGTH = 4096

const URI = /^wc:(?:\/\/)?([^@?]*)@(\d+)(?:\?(.*))?$/
const TOPIC = /^[0-9a-f]{64}$/
const SYM_KEY = /^[0-9a-f]{64}$/i
const SECONDS = /^\d{1,12}$/

/** The URI is a secret: errors name the part and the rule, never the value. */
const valueError = valueErrorsOf(linkReasons)
const fail = (reason: Exclude<keyof typeof linkReasons, 'linkTooLong'>): never => {
  throw valueError(reason)
}

/** Decodes a URI given as base64, in either alphabet, with or without padding. */
const fromBase64 = (text: string): string => {
  const plain = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '')
  try {
    return fromUtf8(base64nopad.decode(plain))
  } catch {
    return fail('linkNotWc')
  }
}

const parameters = (query: string): Map<string, string> => {
  const found = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    if (found.has(name)) fail('linkRepeatsParameter')
    found.set(name, value)
  }
  return found
}

/**
 * Parses `wc:…`, `wc://…` or base64 of either, at most 4,096 characters. The caller checks expiry. Throws ValueError, which
 * does not quote the URI.
 */
export const parsePairingUri = (input: string): PairingUri => {
  const trimmed = input.trim()
  if (trimmed.length > MAX_PAIRING_URI_LENGTH) throw valueError('linkTooLong', { limit: MAX_PAIRING_URI_LENGTH })
  const text = trimmed.startsWith('wc:') ? trimmed : fromBase64(trimmed)
  const [, topic = '', version, query = ''] = URI.exec(text) ?? fail('linkForm')
  if (version !== '2') return fail('linkVersion')
  if (!TOPIC.test(topic)) return fail('linkTopic')
  const {
    symKey,
    'relay-protocol': protocol,
    'relay-data': data,
    methods,
    expiryTimestamp,
    ...extras
  }: Record<string, string> = Object.fromEntries(parameters(query))
  if (symKey === undefined || !SYM_KEY.test(symKey)) return fail('linkKey')
  if (!protocol) return fail('linkNoProtocol')
  if (expiryTimestamp !== undefined && !SECONDS.test(expiryTimestamp)) return fail('linkExpiry')
  return {
    topic,
    symKey: hexToBytes(symKey),
    relay: data === undefined ? { protocol } : { protocol, data },
    ...(methods === undefined ? {} : { methods: methods.split(',').filter(name => name !== '') }),
    ...(expiryTimestamp === undefined ? {} : { expiryTimestamp: Number(expiryTimestamp) }),
    extras,
  }
}

/** Formats a URI as `wc:…`, with parameters in alphabetical order as clients write them. */
export const formatPairingUri = ({ topic, symKey, relay, methods, expiryTimestamp, extras }: PairingUri): string => {
  const query = new URLSearchParams(extras)
  query.set('symKey', bytesToHex(symKey))
  query.set('relay-protocol', relay.protocol)
  if (relay.data !== undefined) query.set('relay-data', relay.data)
  if (methods !== undefined) query.set('methods', methods.join(','))
  if (expiryTimestamp !== undefined) query.set('expiryTimestamp', String(expiryTimestamp))
  query.sort()
  return `wc:${topic}@2?${query}`
}
