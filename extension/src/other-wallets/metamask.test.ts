import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COLD, MIRA, mobileStateLog, oldUserData, SAVINGS, SHOP, stateLog, userData } from './exports.fixture.ts'
import { readMetaMask } from './metamask.ts'

const accounts = [
  { kind: 'watchOnly', address: SAVINGS.toLowerCase(), name: 'Savings' },
  { kind: 'watchOnly', address: COLD.toLowerCase(), name: 'Cold box' },
]
const contacts = [
  { kind: 'contact', address: MIRA, name: 'Mira' },
  { kind: 'contact', address: SHOP, name: 'Corner shop' },
]
const orbit = {
  kind: 'network',
  chainId: 88_120,
  title: 'Orbit',
  symbol: 'OTT',
  explorerUrl: 'https://scan.orbit.example',
  rpcUrls: ['https://rpc.orbit.example'],
}
const ethereum = {
  kind: 'network',
  chainId: 1,
  title: 'Ethereum Mainnet',
  symbol: 'ETH',
  explorerUrl: 'https://etherscan.io',
  rpcUrls: ['https://eth.home.example/rpc'],
}

test.for([
  ['the exported data', userData],
  ['the state log of the extension', stateLog],
  ['the state log of the mobile app', mobileStateLog],
] as const)('accounts, contacts and networks are read from %s', ([, file]) => {
  expect(readMetaMask(file)).toEqual({ entries: [...accounts, ...contacts, ethereum, orbit], unreadable: 1 })
})

test('the nodes of a chain that an old file describes twice are joined', () => {
  const both = { ...orbit, rpcUrls: ['https://rpc.orbit.example', 'https://two.orbit.example'] }
  expect(readMetaMask(oldUserData)).toEqual({ entries: [...contacts, both], unreadable: 0 })
})

test('accounts of old files are read from the identities', () => {
  const file = { metamask: { identities: { [SAVINGS]: { address: SAVINGS, name: 'Savings', lastSelected: 1 } } } }
  expect(readMetaMask(file)?.entries).toEqual([{ kind: 'watchOnly', address: SAVINGS, name: 'Savings' }])
})

test('other JSON is not read as a MetaMask file', () => {
  for (const json of [null, 7, 'text', [], {}, { accounts: [] }, { metamask: 7 }, { engine: {} }])
    expect(readMetaMask(json)).toBeUndefined()
})

const withNetwork = (change: object) => ({
  metamask: {
    networkConfigurations: {
      one: { chainId: '0x15838', nickname: 'Orbit', rpcUrl: 'https://rpc.orbit.example', ticker: 'OTT', ...change },
    },
  },
})
const bare = { ...orbit, explorerUrl: '' }

test.each([
  ['a network with rpcPrefs null', withNetwork({ rpcPrefs: null }), bare],
  ['a network with nickname null', withNetwork({ nickname: null }), { ...bare, title: '' }],
  [
    '… and a chainName',
    withNetwork({ nickname: null, chainName: 'Orbit', rpcPrefs: { blockExplorerUrl: null } }),
    bare,
  ],
  ['a network with ticker null', withNetwork({ ticker: null, rpcPrefs: 7 }), { ...bare, symbol: '' }],
  ['a network with rpcUrl null', withNetwork({ rpcUrl: null }), { ...bare, rpcUrls: [] }],
  [
    'a contact with name null',
    { metamask: { addressBook: { '0x1': { [MIRA]: { address: MIRA, name: null } }, '0x5': null } } },
    { ...contacts[0], name: '' },
  ],
  [
    'an account with metadata null',
    {
      metamask: {
        internalAccounts: { accounts: { a: { address: SHOP, metadata: null }, b: null } },
        addressBook: null,
      },
    },
    { kind: 'watchOnly', address: SHOP, name: '' },
  ],
  [
    'an identity with name null',
    { metamask: { identities: { [SHOP]: { address: SHOP, name: null } }, internalAccounts: null } },
    { kind: 'watchOnly', address: SHOP, name: '' },
  ],
  [
    'exported data with other parts null',
    {
      addressBook: { addressBook: { '0x1': { [MIRA]: contacts[0] } } },
      internalAccounts: null,
      network: null,
      preferences: null,
    },
    contacts[0],
  ],
  [
    'a network with odd nodes and explorers',
    {
      metamask: {
        networkConfigurationsByChainId: {
          '0x15838': {
            chainId: '0x15838',
            name: 'Orbit',
            nativeCurrency: 'OTT',
            rpcEndpoints: [
              null,
              { url: null },
              'https://text.example',
              { type: null, url: 'https://rpc.orbit.example' },
            ],
            blockExplorerUrls: null,
            defaultBlockExplorerUrlIndex: null,
          },
        },
      },
    },
    bare,
  ],
])('%s is read', (_, file, entry) => {
  expect(readMetaMask(file)).toEqual({ entries: [entry], unreadable: 0 })
})

/** Returns every path to a member of the value. */
const pathsOf = (value: unknown): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => [[key], ...pathsOf(member).map(path => [key, ...path])])
    : []
const read = (file: unknown) => readMetaMask(JSON.parse(JSON.stringify(file)))

test('null in any place of a file is read as if the member were missing', () => {
  for (const file of [userData, oldUserData, stateLog, mobileStateLog])
    for (const path of pathsOf(file))
      expect(read(replaced(file, path, null)), path.join('.')).toEqual(read(replaced(file, path, undefined)))
})

const places = [
  ['addressBook', 'addressBook', '0x1', MIRA],
  ['addressBook', 'addressBook', '0x1'],
  ['internalAccounts', 'internalAccounts', 'accounts', 'id-1'],
  ['internalAccounts', 'internalAccounts', 'accounts', 'id-1', 'metadata'],
  ['network', 'networkConfigurationsByChainId', '0x15838'],
  ['network', 'networkConfigurationsByChainId', '0x15838', 'rpcEndpoints'],
  ['network', 'networkConfigurationsByChainId', '0x15838', 'chainId'],
]

/** Returns the value with the member at a path replaced. */
const replaced = (value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown => {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((one, at) => (at === Number(key) ? replaced(one, rest, by) : one))
  const object = value as Record<string, unknown>
  return { ...object, [key]: replaced(object[key], rest, by) }
}

test('any value in any place gives text of bounded length or is ignored', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.oneof(fc.jsonValue(), fc.string({ minLength: 5_000 })),
      (place, value) => {
        const read = readMetaMask(JSON.parse(JSON.stringify(replaced(userData, place, value))))
        for (const entry of read?.entries ?? [])
          for (const text of Object.values(entry).flat())
            expect(typeof text === 'number' || (typeof text === 'string' && text.length <= 2_100)).toBe(true)
      },
    ),
  )
})

test('a chain id is read in hex and as a decimal number', () => {
  const config = (chainId: unknown) => ({ metamask: { networkConfigurations: { one: { chainId, ticker: 'POL' } } } })
  for (const chainId of ['0x89', '0X89', '0x089', 137, '137'])
    expect(read(config(chainId))?.entries, String(chainId)).toMatchObject([{ chainId: 137, symbol: 'POL' }])
  for (const chainId of ['eip155:137', '', null, -1, 1.5, '0x', true])
    expect(read(config(chainId)), String(chainId)).toEqual({ entries: [], unreadable: 1 })
})
