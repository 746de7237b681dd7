/**
 * Names that imitate others: names of networks, coins, tokens, sites and addresses. The user sees the text, so the
 * danger depends only on the spelling.
 */
import { parseUrl } from '@heliograph/shared/url'
import { getAddress } from 'ethers'
import { pick, type Random, randomFrom } from '../support/random.ts'
import { addressNamed, FRIEND, OWNERS, TOKENS } from './addresses.ts'
import type { Case, Kind, Mutation, Request, Shown, Subject } from './case.ts'
import { encodeCall } from './encode.ts'
import { EDITS } from './lookalikes.ts'

type Named = {
  /** The imitating text. It has one non-Latin letter that no edit changes. */
  text: string
  /** Edits by name; `EDITS` by default. */
  edits: Readonly<Record<string, (text: string, random: Random) => string>>
  request(text: string): Request
  /** True if the user sees the text; by default, always. */
  isSeen?(shown: Shown): boolean
}

const LATIN = /[a-z]/i

const byLetters: Named['edits'] = Object.fromEntries(
  Object.entries(EDITS).map(([name, edit]) => [
    name,
    (text: string, random: Random) => [...text].map(one => (LATIN.test(one) ? edit(one, random) : one)).join(''),
  ]),
)

const network = (chainName: string, symbol: string): Request => ({
  method: 'wallet_addEthereumChain',
  params: [
    {
      chainId: '0x1b207',
      chainName,
      rpcUrls: ['https://node.example'],
      nativeCurrency: { name: 'Coin', symbol, decimals: 18 },
    },
  ],
})

const watched = (address: string, symbol: string) => ({
  method: 'wallet_watchAsset',
  params: [{ type: 'ERC20', options: { address, symbol, decimals: 18 } }],
})

/** Edits of host names. A replaced letter that no host name can contain stays unchanged. */
const hostEdits: Named['edits'] = {
  ...Object.fromEntries(
    ['look-alike letters', 'one look-alike letter', 'styled letters', 'accents'].map(name => [
      `${name} of a host`,
      (host: string, random: Random) =>
        [...host].reduce((written, letter, at) => {
          const edited = LATIN.test(letter) ? (EDITS[name]?.(letter, random) ?? letter) : letter
          const rest = [...host].slice(at + 1).join('')
          return parseUrl(`https://${written}${edited}${rest}/`) ? written + edited : written + letter
        }, ''),
    ]),
  ),
  subdomain: (host, random) => `${pick(random, ['app', 'www', 'a.b', 'xn--e1afmkfd'])}.${host}`,
  port: host => `${host}:8443`,
  'dot at the end': host => host.replace(/\.?(:|$)/, '.$1'),
  'letter twice': host => host.replace(/te\./, 'tte.'),
}

const endsOf = (known: string) => (text: string, random: Random) => {
  const middle = addressNamed(`${text} ${random(2 ** 30)}`).slice(6, 38)
  return `${known.slice(0, 6)}${middle}${known.slice(-4)}`.toLowerCase()
}
const addressEdits: Named['edits'] = {
  'another middle': endsOf(FRIEND),
  'ends of an own account': endsOf(OWNERS[1]),
  checksummed: text => getAddress(text.toLowerCase()),
  'in capitals': text => `0x${text.slice(2).toUpperCase()}`,
}

const sent = (members: object): Request => ({
  method: 'eth_sendTransaction',
  params: [{ from: OWNERS[0], ...members }],
})
const [token = ''] = TOKENS
const lookalike = endsOf(FRIEND)('look-alike', randomFrom(1))

const NAMES: ReadonlyMap<string, Named> = new Map<string, Named>([
  ['network', { text: 'Eth\u0435reum', edits: byLetters, request: text => network(text, 'COIN') }],
  ['coin of a network', { text: 'E\u0422H', edits: byLetters, request: text => network('Some chain', text) }],
  [
    'token that the site names',
    { text: 'USD\u0421', edits: byLetters, request: text => watched(addressNamed('nothing'), text) },
  ],
  [
    'token that names itself',
    {
      text: 'U\u0405DT',
      edits: byLetters,
      request: text => {
        const address = addressNamed(`token ${text}`).toLowerCase()
        return { ...watched(address, text), token: { address, symbol: text } }
      },
    },
  ],
  [
    'token of a transaction',
    {
      text: 'D\u0391I',
      edits: byLetters,
      request: text => {
        const address = addressNamed(`token ${text}`).toLowerCase()
        const data = encodeCall('transfer(address,uint256)', [FRIEND, 1n])
        return { ...sent({ to: address, data }), token: { address, symbol: text } }
      },
      // The wallet does not show a symbol with invisible characters.
      isSeen: ({ symbols }) => symbols.length > 0,
    },
  ],
  [
    'site',
    {
      text: 's\u0456te.example',
      edits: hostEdits,
      request: text => ({ method: 'eth_requestAccounts', params: [], origin: new URL(`https://${text}`).origin }),
    },
  ],
  ['address of a payment', { text: lookalike, edits: addressEdits, request: to => sent({ to, value: '0x1' }) }],
  [
    'address of a transfer',
    {
      text: lookalike,
      edits: addressEdits,
      request: to => sent({ to: token, data: encodeCall('transfer(address,uint256)', [to.toLowerCase(), 1n]) }),
    },
  ],
])

const namedBy = (fixture: string): Named => {
  const found = NAMES.get(fixture)
  if (!found) throw new Error(`no name ${fixture}`)
  return found
}

const build = ({ fixture, mutations }: Case): Subject => {
  const { text, edits, request, isSeen = () => true } = namedBy(fixture)
  const edited = mutations.reduce((now, { name, seed }) => edits[name]?.(now, randomFrom(seed)) ?? now, text)
  return {
    request: request(edited),
    sceneOf: () => null,
    harmOf: (_, shown) => ({ imitations: isSeen(shown) ? 1n : 0n }),
  }
}

const mutationsFor = (fixture: string, random: Random): readonly Mutation[] => {
  const names = Array.from({ length: 1 + random(3) }, () => pick(random, Object.keys(namedBy(fixture).edits)))
  return [...new Set(names)].map(name => ({ name, seed: random(2 ** 31) }))
}

export const names: Kind = {
  name: 'name',
  fixtures: [...NAMES.keys()],
  leastOf: () => 'danger',
  mutationsFor,
  build,
}
