/** Allowed RPC URLs of a network. */
import { parseUrl } from '@heliograph/shared/url'

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** Normalizes an http or https URL without credentials. Undefined for anything else. For URLs that the user enters. */
export const toRpcUrl = (text: string): string | undefined => {
  const url = parseUrl(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  return url.href
}

/**
 * Like `toRpcUrl`, for URLs that sites suggest. Accepts http only for this computer, because other hosts could be
 * impersonated.
 */
export const toSuggestedUrl = (text: string): string | undefined => {
  const href = toRpcUrl(text)
  if (href === undefined) return undefined
  const { protocol, hostname } = new URL(href)
  return protocol === 'https:' || LOOPBACK.test(hostname) ? href : undefined
}
