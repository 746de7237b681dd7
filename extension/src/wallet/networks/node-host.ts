/** Detects node URLs on this computer or a private network by their host. */

/** IPv4 blocks not routed on the public internet, as [first address, prefix length]. RFC 6890. */
const PRIVATE_V4: readonly (readonly [address: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
]
/** Local and private names: RFC 6761, 6762, 8375, and common names of home routers. */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa', 'lan', 'home', 'intranet', 'private', 'corp']

const IPV4 = /^\d+(?:\.\d+){3}$/
/** Number of 16-bit words in an IPv6 address. */
const WORDS = 8

const toNumber = (address: string): number => address.split('.').reduce((value, part) => value * 256 + Number(part), 0)

const isPrivateV4 = (address: string): boolean =>
  PRIVATE_V4.some(([first, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(toNumber(address) / size) === Math.floor(toNumber(first) / size)
  })

/** The words of an address as serialized by the URL parser: in hex, with at most one `::`. */
const wordsOf = (address: string): number[] => {
  const [before = [], after = []] = address
    .split('::')
    .map(part => (part === '' ? [] : part.split(':').map(word => Number.parseInt(word, 16))))
  return [...before, ...Array(WORDS - before.length - after.length).fill(0), ...after]
}

const toV4 = (high = 0, low = 0): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')

const isPrivateV6 = (address: string): boolean => {
  const words = wordsOf(address)
  const [first = 0, second, third] = words
  const startsWith = (...prefix: readonly number[]) => prefix.every((word, at) => words[at] === word)
  // ::1 and ::, IPv4-mapped and IPv4-compatible addresses, and the NAT64 prefix of RFC 6052.
  if (startsWith(0, 0, 0, 0, 0) || startsWith(0x64, 0xff9b)) return isPrivateV4(toV4(words[6], words[7]))
  // 6to4 addresses embed an IPv4 address as well.
  if (first === 0x2002) return isPrivateV4(toV4(second, third))
  // Unique local (RFC 4193), link-local, and deprecated site-local addresses.
  return (first & 0xfe00) === 0xfc00 || (first & 0xff80) === 0xfe80
}

const isPrivateName = (name: string): boolean =>
  !name.includes('.') || PRIVATE_SUFFIXES.some(suffix => name.endsWith(`.${suffix}`))

/**
 * Does not detect public names that resolve to private addresses, because the wallet does not resolve names. A URL
 * without a host counts as private.
 */
export const isPrivateNode = (rpcUrl: string): boolean => {
  const host = new URL(rpcUrl).hostname.replace(/\.$/, '')
  if (host.startsWith('[')) return isPrivateV6(host.slice(1, -1))
  return IPV4.test(host) ? isPrivateV4(host) : isPrivateName(host)
}
