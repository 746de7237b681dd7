/** Which part of a host its owner registered: https://publicsuffix.org/list/, https://url.spec.whatwg.org/#host-registrable-domain */

/** The rules of the Public Suffix List, as the list writes them but in ASCII: `com`, `co.uk`, `*.ck`, `!www.ck`. */
export type PublicSuffixes = () => Promise<readonly string[]>

/**
 * The registrable domain of a host as URLs have it, in lower-case ASCII. A host without one stands for itself: an IP
 * address, a name of this computer, a public suffix.
 */
export type RegistrableDomain = (host: string) => string

/** An IPv4 address, an IPv6 address in brackets, or a name of one label. */
const NO_DOMAIN = /^[\d.]+$|^\[|^[^.]*$/

/** How many labels of a name are its public suffix: those of the longest rule, or the last label where no rule matches. */
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

/** Reads the rules once, when they are first needed; after a failure it reads them again. */
export const loadRegistrableDomain = (publicSuffixes: PublicSuffixes): (() => Promise<RegistrableDomain>) => {
  let loaded: Promise<RegistrableDomain> | undefined
  const load = async () => createRegistrableDomain(new Set(await publicSuffixes()))
  return () => {
    loaded ??= load().catch(failure => {
      loaded = undefined
      throw failure
    })
    return loaded
  }
}
