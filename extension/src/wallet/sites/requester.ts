/** The requester: the sender of a request. It is created once, where the request enters the wallet. */
import { shortHash } from '../storage/short-hash.ts'

/**
 * A web page's site, or the peer of a remote session. `origin` identifies the requester in stores and limits. A
 * session's is `wc:` and a hash of its topic, which is secret. No site can have such an origin.
 */
export type Requester = { kind: 'site'; origin: string } | { kind: 'session'; origin: string; topic: string }

/** `origin` is the page's, exactly as reported by the browser. */
export const siteRequester = (origin: string): Requester => ({ kind: 'site', origin })

export const sessionOrigin = (topic: string): string => `wc:${shortHash(topic)}`

export const sessionRequester = (topic: string): Requester => ({
  kind: 'session',
  origin: sessionOrigin(topic),
  topic,
})
