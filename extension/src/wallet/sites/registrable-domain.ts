/** Registrable domains of hosts: https://publicsuffix.org/list/, https://url.spec.whatwg.org/#host-registrable-domain */

/** Rules of the Public Suffix List in ASCII: `com`, `co.uk`, `*.ck`, `!www.ck`. */
export type PublicSuffixes = () => Promise<ReadonlySet<string>>

/**
 * Returns the registrable domain of a host in lower-case ASCII. A host without one is returned unchanged: an IP
 * address, a local name, or a public suffix.
 */
export type RegistrableDomain = (host: string) => string

/** Matches an IPv4 address, an IPv6 address in brackets, or a single-label name. */
const NO_DOMAIN = /^[\d.]+$|^\[|^[^.]*$/

/** Returns the number of labels in the public suffix: the longest matching rule's, or one. */
const suffixLength = (labels: readonly string[], rules: ReadonlySet<string>): number => {
  for (const at of labels.keys()) {
    const name = labels.slice(at).join('.')
    const length = labels.length - at
    if (rules.has(`!${name}`)) return length - 1
    if (rules.has(name) || rules.has(`*.${labels.slice(at + 1).join('.')}`)) return length
  }
  return 1
}

export const createRegistrableDomain =
  (rules: ReadonlySet<string>): RegistrableDomain =>
  host => {
    const name = host.toLowerCase().replace(/\.$/, '')
    if (NO_DOMAIN.test(name)) return name
    const labels = name.split('.')
    return labels.slice(-suffixLength(labels, rules) - 1).join('.')
  }

/** Loads the rules on first use, and retries after a failure. */
export const loadRegistrableDomain = (publicSuffixes: PublicSuffixes): (() => Promise<RegistrableDomain>) => {
  let loaded: Promise<RegistrableDomain> | undefined
  const load = async () => createRegistrableDomain(await publicSuffixes())
  return () => {
    loaded ??= load().catch(failure => {
      loaded = undefined
      throw failure
    })
    return loaded
  }
}
