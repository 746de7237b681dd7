/** Detects node URLs whose host is this computer or on a private network. */

/**
 * IPv4 blocks that are not globally reachable, as [first address, prefix length]: the registry
 * https://www.iana.org/assignments/iana-ipv4-special-registry/ without its globally reachable blocks, and multicast
 * (RFC 5771).
 */
const SPECIAL_V4: readonly (readonly [address: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** Globally reachable parts of SPECIAL_V4's blocks: anycast addresses of PCP and TURN (RFC 7723, RFC 8155). */
const PUBLIC_V4: readonly (readonly [address: string, bits: number])[] = [
  ['192.0.0.9', 32],
  ['192.0.0.10', 32],
]

/**
 * The only IPv6 block from which public addresses are assigned: https://www.iana.org/assignments/ipv6-address-space/
 */
const UNICAST_V6 = '2000::/3'
/** Parts of UNICAST_V6 that are not globally reachable: https://www.iana.org/assignments/iana-ipv6-special-registry/ */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '3fff::/20']
/** Globally reachable parts of SPECIAL_V6's blocks. */
const PUBLIC_V6 = [
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:1::3/128',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:20::/28',
  '2001:30::/28',
]
/**
 * Blocks whose addresses embed an IPv4 address, as [block, index of the embedded address's first word]: IPv4-compatible
 * (including :: and ::1), mapped (RFC 4291) and translated addresses (RFC 2765), NAT64 (RFC 6052), 6to4 (RFC 3056).
 */
const WITH_V4: readonly (readonly [block: string, at: number])[] = [
  ['::/96', 6],
  ['::ffff:0:0/96', 6],
  ['::ffff:0:0:0/96', 6],
  ['64:ff9b::/96', 6],
  ['2002::/16', 1],
]

/**
 * Suffixes of names that only have a meaning within a network: RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476,
 * ICANN's .internal, and names that routers, offices, clusters and home node computers use. Some are under public
 * domains.
 */
const PRIVATE_SUFFIXES = [
  ...['localhost', 'local', 'internal', 'home.arpa', 'test', 'invalid', 'alt', 'onion'],
  ...['localdomain', 'domain', 'lan', 'home', 'intranet', 'intra', 'private', 'corp', 'workgroup', 'router', 'gateway'],
  ...['dappnode', 'svc', 'consul', 'localtest.me', 'lvh.me', 'my.ava.do'],
  ...['localnet', 'hub', 'openwrt', 'dlink', 'station', 'modem', 'belkin', 'bbrouter', 'hole', 'fritz.nas'],
  ...['fritz.box', 'o2.box', 'easy.box', 'speedport.ip', 'mshome.net', 'router.asus.com', 'routerlogin.net'],
  ...['tplinkwifi.net', 'miwifi.com'],
]

const IPV4 = /^\d+(?:\.\d+){3}$/
/** Number of 16-bit words in an IPv6 address. */
const WORDS = 8
const WORD_BITS = 16

const toNumber = (address: string): number => address.split('.').reduce((value, part) => value * 256 + Number(part), 0)

const isInV4 = (address: string, blocks: readonly (readonly [address: string, bits: number])[]): boolean =>
  blocks.some(([first, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(toNumber(address) / size) === Math.floor(toNumber(first) / size)
  })

const isPrivateV4 = (address: string): boolean => isInV4(address, SPECIAL_V4) && !isInV4(address, PUBLIC_V4)

/** Parses an IPv6 address as serialized by the URL parser: hex words with at most one `::`. */
const wordsOf = (address: string): number[] => {
  const [before = [], after = []] = address
    .split('::')
    .map(part => (part === '' ? [] : part.split(':').map(word => Number.parseInt(word, 16))))
  return [...before, ...Array(WORDS - before.length - after.length).fill(0), ...after]
}

const toBits = (words: readonly number[]): string =>
  words.map(word => word.toString(2).padStart(WORD_BITS, '0')).join('')

const isInV6 = (words: readonly number[], block: string): boolean => {
  const [first = '', bits] = block.split('/')
  return toBits(words).startsWith(toBits(wordsOf(first)).slice(0, Number(bits)))
}

const toV4 = (high = 0, low = 0): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')

const isPrivateV6 = (address: string): boolean => {
  const words = wordsOf(address)
  const isIn = (block: string) => isInV6(words, block)
  const [, at] = WITH_V4.find(([block]) => isIn(block)) ?? []
  if (at !== undefined) return isPrivateV4(toV4(words[at], words[at + 1]))
  return !isIn(UNICAST_V6) || (SPECIAL_V6.some(isIn) && !PUBLIC_V6.some(isIn))
}

const isPrivateName = (name: string): boolean =>
  !name.includes('.') || PRIVATE_SUFFIXES.some(suffix => name === suffix || name.endsWith(`.${suffix}`))

/**
 * True if the host is local or private, or if the URL has no host. Public names that resolve to private addresses are
 * not detected, because the wallet does not resolve names.
 */
export const isPrivateNode = (rpcUrl: string): boolean => {
  const host = new URL(rpcUrl).hostname.replace(/\.+$/, '')
  if (host.startsWith('[')) return isPrivateV6(host.slice(1, -1))
  return IPV4.test(host) ? isPrivateV4(host) : isPrivateName(host)
}
