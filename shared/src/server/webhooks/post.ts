/** Makes one webhook call: checks the address, builds and signs the body, and classifies the response. */

import { bodyOf, type Content, signatureHeaders } from './content.ts'
import { type Answered, BlockedTarget, postTo, type TargetRules, targetAddresses } from './public-fetch.ts'
import type { Resolve } from './resolve.ts'
import type { SigningKey } from './signing-key.ts'

/** Bytes of a response that are searched for the challenge. */
const ECHO_BYTES = 1024

/** Maximum number of connections to one IP address, over all its host names and ports. */
const ADDRESS_CONNECTIONS = 32
/** Milliseconds without a response after which a call is aborted if another call needs its connection. */
const YIELD_AFTER = 1500

/**
 * Result of a call. Success: `delivered`. Not retried: `refused` (other 4xx), `gone` (410, the target unsubscribes),
 * `blocked` (the address may not be called), `unconfirmed` (the challenge was not echoed). Retried: `failed` (5xx) and `unreachable` (no response).
 * Not made: `busy` (too many connections to the address).
 */
export type Outcome = 'delivered' | 'refused' | 'gone' | 'unconfirmed' | 'blocked' | 'failed' | 'unreachable' | 'busy'

/** `status` is the HTTP status of the response, if any. */
export type Answer = { outcome: Outcome; status?: number }

/** `attempt` counts from 0. Never throws. */
export type PostCall = (call: { url: string; attempt: number }, content: Content) => Promise<Answer>

export type PostOptions = { rules: TargetRules; resolve: Resolve; key: SigningKey; timeoutMs: number }

const GONE = 410

const isEcho = (content: Content, body: string): boolean =>
  !('challenge' in content) || body.includes(content.challenge)

const outcomeOf = ({ status, body }: Answered, content: Content): Outcome => {
  if (status >= 200 && status < 300) return isEcho(content, body) ? 'delivered' : 'unconfirmed'
  if (status === GONE) return 'gone'
  return status >= 500 ? 'failed' : 'refused'
}

/** Groups addresses for the connection limit. A site has a whole IPv6 /48, which counts as one address. */
const siteOf = (address: string): string => (address.includes(':') ? address.split(':', 3).join(':') : address)

/** Resolves with the result of the work, or rejects when the signal aborts first. */
const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })

/** Makes webhook calls until `close`, which aborts running calls. */
export const createPost = ({ rules, resolve, key, timeoutMs }: PostOptions): { post: PostCall; close: () => void } => {
  /** Running calls by site, oldest first, with the time at which they connected. */
  const connected = new Map<string, Map<AbortController, number>>()
  const running = new Set<AbortController>()

  const leave = (site: string, call: AbortController): void => {
    const calls = connected.get(site)
    calls?.delete(call)
    if (calls?.size === 0) connected.delete(site)
  }

  /**
   * Reserves a connection to a site, if necessary by aborting a call whose response takes too long. Returns false if no
   * connection can be freed.
   */
  const enter = (site: string, call: AbortController): boolean => {
    const calls = connected.get(site) ?? new Map<AbortController, number>()
    const [oldest] = calls
    if (calls.size >= ADDRESS_CONNECTIONS && oldest) {
      const [slow, since] = oldest
      if (performance.now() - since < YIELD_AFTER) return false
      slow.abort()
      calls.delete(slow)
    }
    connected.set(site, calls.set(call, performance.now()))
    return true
  }

  const postAt = async (url: URL, address: string, content: Content, call: AbortController): Promise<Answer> => {
    const site = siteOf(address)
    if (!enter(site, call)) return { outcome: 'busy' }
    try {
      const now = Date.now()
      const body = bodyOf(content, key, now)
      const answerBytes = 'challenge' in content ? ECHO_BYTES : 0
      const headers = signatureHeaders(body, key, now)
      const answer = await postTo({ url, address, body, headers, answerBytes }, call.signal)
      return { outcome: outcomeOf(answer, content), status: answer.status }
    } finally {
      leave(site, call)
    }
  }

  const post: PostCall = async ({ url: text, attempt }, content) => {
    const call = new AbortController()
    const limit = setTimeout(() => call.abort(), timeoutMs)
    running.add(call)
    try {
      const url = new URL(text)
      const addresses = await orAborted(targetAddresses(url, rules, resolve), call.signal)
      const address = addresses[attempt % addresses.length]
      return address === undefined ? { outcome: 'unreachable' } : await postAt(url, address, content, call)
    } catch (thrown) {
      return { outcome: thrown instanceof BlockedTarget ? 'blocked' : 'unreachable' }
    } finally {
      clearTimeout(limit)
      running.delete(call)
    }
  }

  return {
    post,
    close: () => {
      for (const call of running) call.abort()
    },
  }
}
