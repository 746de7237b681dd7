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

test('other JSON is no file of MetaMask', () => {
  for (const json of [null, 7, 'text', [], {}, { accounts: [] }, { metamask: 7 }, { engine: {} }])
    expect(readMetaMask(json)).toBeUndefined()
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

const replaced = (value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown => {
  if (key === undefined) return by
  const object = value as Record<string, unknown>
  return { ...object, [key]: replaced(object[key], rest, by) }
}

test('any value in any place is read as text of bounded length, or not at all', () => {
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
