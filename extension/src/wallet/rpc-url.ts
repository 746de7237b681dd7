/** Which URLs may be the RPC of a network. */

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** An http or https URL without credentials, in its normal form; undefined for anything else. What a person may choose. */
export const toRpcUrl = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  return url.href
}

/** The same for what a site suggests: http only to this computer, since anybody between could answer for the node. */
export const toSuggestedUrl = (text: string): string | undefined => {
  const href = toRpcUrl(text)
  if (href === undefined) return undefined
  const { protocol, hostname } = new URL(href)
  return protocol === 'https:' || LOOPBACK.test(hostname) ? href : undefined
}
