/**
 * CCIP-Read: a contract refers to gateways, which hold the data, and verifies their responses.
 * https://eips.ethereum.org/EIPS/eip-3668
 */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { type AbiValue, readArguments } from '@heliograph/shared/evm/abi-decode'
import { encodeBytesArguments } from '@heliograph/shared/evm/abi-encode'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { decodeData, encodeData, type Hex, isHex } from '@heliograph/shared/evm/hex'
import { ValueError } from '@heliograph/shared/evm/value-error'
import { parseUrl } from '@heliograph/shared/url'
import * as v from 'valibot'
import { readText } from '../networks/node.ts'
import { isPrivateNode } from '../networks/node-host.ts'
import { rpcError } from '../text/errors.ts'

/** Maximum number of gateways queried per lookup, in the contract's order. */
export const MAX_GATEWAYS = 4
/** Maximum number of lookups per name: a contract may refer to gateways repeatedly. */
export const MAX_ROUNDS = 4
/** Maximum duration of a gateway request in ms. */
const GATEWAY_TIMEOUT = 8_000
/** Maximum characters of a URL that contains the query, and of a response. */
const MAX_URL = 8_192
const MAX_ANSWER = 1 << 18
/** Maximum characters of revert data in hex. */
const MAX_LOOKUP = 1 << 17

const LOOKUP = parseFunction(
  'OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
)
const SELECTOR_DIGITS = 10

/** A query to a gateway. Uses GET if `body` is null. */
type Question = { url: URL; body: string | null }

/**
 * Queries to the gateways that a contract names, any of which returns the same response, and the values needed to pass
 * the response to the contract.
 */
export type Lookup = { questions: readonly Question[]; callback: Hex; extraData: Hex }

/** Sends a query to a gateway. Resolves with the response's status and text. */
export type AskGateway = (
  url: string,
  body: string | null,
  signal: AbortSignal,
) => Promise<{ status: number; text: string }>

const Answer = v.object({ data: v.custom<Hex>(isHex) })

/** Fills in a gateway's URL template. Empty unless the URL leads to a public host over https. */
const toQuestion = (template: string, sender: Address, callData: Hex): Question[] => {
  const isGet = template.includes('{data}')
  const filled = template.replaceAll('{sender}', sender.toLowerCase()).replaceAll('{data}', callData)
  if (filled.length > MAX_URL) return []
  const url = parseUrl(filled)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || isPrivateNode(url.href)) return []
  return [{ url, body: isGet ? null : JSON.stringify({ data: callData, sender: sender.toLowerCase() }) }]
}

const textOf = (value: AbiValue | undefined): string => (typeof value?.value === 'string' ? value.value : '')

/**
 * Decodes the lookup in the revert data of a call to `to`; null for other revert data. Throws -32000 if the lookup
 * names another sender, or no gateway that may be queried.
 */
export const toLookup = (to: Address, data: unknown): Lookup | null => {
  if (!isHex(data) || !data.startsWith(LOOKUP.selector)) return null
  const refused = () => rpcError('invalidInput', 'lookupRefused')
  if (data.length > MAX_LOOKUP) throw refused()
  try {
    const bytes = decodeData(`0x${data.slice(SELECTOR_DIGITS)}`)
    const [sender, urls, callData, callback, extraData] = readArguments(bytes, LOOKUP.parameters).values
    const templates = Array.isArray(urls?.value) ? urls.value.slice(0, MAX_GATEWAYS).map(textOf) : []
    const questions = templates.flatMap(template => toQuestion(template, to, textOf(callData) as Hex))
    if (!sameAddress(textOf(sender), to) || questions.length === 0) throw refused()
    return { questions, callback: textOf(callback) as Hex, extraData: textOf(extraData) as Hex }
  } catch (error) {
    throw error instanceof ValueError ? refused() : error
  }
}

/** Returns the hosts that a lookup queries, without duplicates. */
export const hostsOf = ({ questions }: Lookup): string[] => [...new Set(questions.map(({ url }) => url.host))]

/** Encodes the call that returns a gateway's response to the contract. */
export const callbackCall = ({ callback, extraData }: Lookup, answer: Hex): Hex =>
  `${callback}${encodeData(encodeBytesArguments(decodeData(answer), decodeData(extraData))).slice(2)}`

const toAnswer = (text: string): Hex | undefined => {
  if (text.length > MAX_ANSWER) return undefined
  try {
    const parsed = v.safeParse(Answer, JSON.parse(text))
    return parsed.success ? parsed.output.data : undefined
  } catch {
    return undefined
  }
}

/**
 * Queries a lookup's gateways in turn until one responds. Resolves with its response and host. Throws 4901 if none
 * does, or as soon as one refuses with a status from 400 to 499.
 */
export const askGateways = async (
  lookup: Lookup,
  ask: AskGateway,
  signal: AbortSignal,
): Promise<{ answer: Hex; host: string }> => {
  for (const { url, body } of lookup.questions) {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(GATEWAY_TIMEOUT)])
    const reply = await ask(url.href, body, limits).catch(() => undefined)
    if (reply && reply.status >= 400 && reply.status < 500)
      throw rpcError('chainDisconnected', 'gatewayRefused', { host: url.host, status: reply.status })
    const answer = reply?.status === 200 ? toAnswer(reply.text) : undefined
    if (answer !== undefined) return { answer, host: url.host }
    if (signal.aborted) break
  }
  throw rpcError('chainDisconnected', 'gatewaysSilent', { hosts: hostsOf(lookup).join(', ') })
}

/**
 * Queries with the platform's fetch. Sends no cookies and no referrer, and does not use the cache. Does not follow
 * redirects, because only these hosts were named.
 */
export const fetchFromGateway: AskGateway = async (url, body, signal) => {
  const response = await fetch(url, {
    method: body === null ? 'GET' : 'POST',
    ...(body !== null && { body, headers: { 'content-type': 'application/json' } }),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    signal,
  })
  return { status: response.status, text: await readText(response, MAX_ANSWER) }
}
