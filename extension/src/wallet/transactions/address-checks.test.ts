import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import type { Act } from '../../messages.ts'
import { refusal } from '../networks/node.fixture.ts'
import type { Chain } from '../networks/node.ts'
import { ADDRESS, chainOf, PUBLIC_NETWORKS, SECOND } from '../wallet.fixture.ts'
import { type Addressed, addressesOf, checkAddresses, factsOf } from './address-checks.ts'

const PARTY = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const SAFE = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const SINGLETON = '0x41675C099F32341bf84BFc5382aF534df5C7461a'
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const DELEGATED = `0xef0100${'12'.repeat(20)}`
const UNKNOWN = { withoutCode: [], withCode: [], delegated: [], tokens: [], safes: [] }

const safe = new Interface([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function getOwners() view returns (address[])',
])
const ownersAre = (...owners: string[]) => safe.encodeFunctionResult('getOwners', [owners])
const slot = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

type Contract = { code?: unknown; symbol?: unknown; slot?: unknown; owners?: unknown; balance?: unknown }

/** Creates a node with these contracts. A result that is an error is thrown. */
const nodeWith = (contracts: Readonly<Record<string, Contract>>) => {
  const asked: string[] = []
  const answer = (method: string, address: unknown, name: keyof Contract, otherwise: unknown) => {
    asked.push(`${method} ${String(address)}`)
    const found = Object.entries(contracts).find(([other]) => other.toLowerCase() === String(address).toLowerCase())
    const value = found?.[1][name] ?? otherwise
    if (value instanceof Error) throw value
    return value
  }
  const chain: Chain = chainOf({
    eth_getCode: ([address]) => answer('code', address, 'code', '0x'),
    eth_getStorageAt: ([address]) => answer('slot', address, 'slot', slot('0x00')),
    eth_getBalance: ([address]) => answer('balance', address, 'balance', '0x0'),
    eth_call: ([call]) => {
      const { to, data } = call as { to: string; data: string }
      return data === '0xa0e67e2b' ? answer('owners', to, 'owners', '0x') : answer('symbol', to, 'symbol', '0x')
    },
  })
  return { chain, asked }
}
const [network] = PUBLIC_NETWORKS
const check = async (chain: Chain, ...requests: Addressed[]) => {
  if (!network) throw new Error('No network')
  return checkAddresses({ chain, network } as Parameters<typeof checkAddresses>[0], requests)
}

const request = (more: Partial<Addressed> = {}): Addressed => ({
  account: ADDRESS,
  calls: [],
  acts: [],
  payments: [],
  safes: [],
  ...more,
})
const allow: Act = { kind: 'allow', token: TOKEN, spender: PARTY, amount: '1', until: null, adds: false }
const safeFacts = (contract: Contract) =>
  check(nodeWith({ [SAFE]: contract }).chain, request({ safes: [SAFE] })).then(({ safes }) => safes)

test('addresses with code, without code and with delegated code are distinguished', async () => {
  const { chain } = nodeWith({ [TOKEN]: { code: '0x6001' }, [SECOND]: { code: DELEGATED } })
  const acts: Act[] = [
    allow,
    { kind: 'gain', by: TOKEN, to: SECOND },
    { kind: 'control', right: 'owner', of: TOKEN, to: PARTY.toLowerCase() },
  ]
  expect(await check(chain, request({ acts }))).toMatchObject({
    withCode: [TOKEN, SECOND],
    withoutCode: [PARTY.toLowerCase()],
    delegated: [SECOND],
  })
})

test('an upper-case address in the code is delegated too', async () => {
  const { chain } = nodeWith({ [PARTY]: { code: DELEGATED.toUpperCase().replace('X', 'x') } })
  expect(await check(chain, request({ acts: [allow] }))).toMatchObject({ delegated: [PARTY] })
})

test('a paid address that returns a symbol is a token', async () => {
  const { chain } = nodeWith({ [TOKEN]: { symbol: slot('0x20') } })
  const paying = (to: string) => ({ from: ADDRESS, to, value: 1n, data: '0x', acts: [] })
  expect(await check(chain, request({ calls: [paying(TOKEN), paying(PARTY)] }))).toMatchObject({ tokens: [TOKEN] })
})

test('a Safe is described by its code, its owners and its balance', async () => {
  const contract = { slot: slot(SINGLETON), owners: ownersAre(PARTY, ADDRESS), balance: '0x5' }
  const described = { address: SAFE, singleton: SINGLETON, isOwner: true, balance: '0x5', held: [] }
  expect(await safeFacts(contract)).toEqual([described])
  expect(await safeFacts({ ...contract, owners: ownersAre(PARTY) })).toEqual([{ ...described, isOwner: false }])
  expect(await safeFacts({ ...contract, slot: slot(TOKEN) })).toEqual([{ ...described, singleton: TOKEN }])
  expect(await safeFacts({ ...contract, balance: encodeQuantity(10n ** 30n) })).toMatchObject([
    { balance: encodeQuantity(10n ** 30n) },
  ])
})

test('a Safe that does not answer, or answers nonsense, belongs to nobody', async () => {
  const nobodys = [{ address: SAFE, isOwner: false }]
  for (const owners of [refusal('invalidInput'), '0x', '0x1234', slot('0xff'), 7, null, `0x${'f'.repeat(640)}`])
    expect(await safeFacts({ slot: slot(SINGLETON), owners }), String(owners)).toMatchObject(nobodys)
  for (const wrong of [refusal('invalidInput'), '0x', 5]) {
    const [found] = await safeFacts({ slot: wrong, owners: ownersAre(ADDRESS) })
    expect(found?.singleton, String(wrong)).toBe(`0x${'0'.repeat(40)}`)
  }
  for (const balance of [refusal('invalidInput'), '-1', 'much', {}])
    expect(await safeFacts({ balance })).toMatchObject([{ balance: null }])
})

test('a request without addresses makes no queries', async () => {
  const { chain, asked } = nodeWith({})
  expect(await check(chain, request())).toEqual(UNKNOWN)
  expect(await check(chain)).toEqual(UNKNOWN)
  expect(asked).toEqual([])
})

test('an address for which the node does not answer is unknown, and other addresses are known', async () => {
  const { chain } = nodeWith({ [PARTY]: { code: refusal('invalidInput') }, [TOKEN]: { code: '0x6001' } })
  const acts: Act[] = [allow, { kind: 'gain', by: TOKEN, to: SECOND }]
  expect(await check(chain, request({ acts }))).toMatchObject({
    withoutCode: [SECOND],
    withCode: [TOKEN],
    delegated: [],
  })
  const odd = nodeWith({ [PARTY]: { code: 5 }, [TOKEN]: { code: null } })
  expect(await check(odd.chain, request({ acts }))).toMatchObject({ withCode: [] })
})

test('without a node, nothing is known', async () => {
  const broken: Chain = Object.assign(async () => null, {
    all: async () => {
      throw new Error('unreachable')
    },
  })
  expect(await check(broken, request({ acts: [allow], safes: [SAFE] }))).toEqual(UNKNOWN)
})

test('if a node answers too few queries, the rest is unknown', async () => {
  const short: Chain = Object.assign(async () => null, { all: async () => [{ result: '0x6001' }] })
  const acts: Act[] = [allow, { kind: 'gain', by: TOKEN, to: SECOND }]
  expect(await check(short, request({ acts }))).toEqual({ ...UNKNOWN, withCode: [PARTY] })
})

test('at most 64 addresses are queried, called ones first, and each only once', async () => {
  const { chain, asked } = nodeWith({})
  const acts = Array.from(
    { length: 100 },
    (_, at): Act => ({ kind: 'gain', by: PARTY.toLowerCase(), to: `0x${String(at).padStart(40, '0')}` }),
  )
  const calls = [{ from: ADDRESS, to: PARTY, value: 0n, data: '0x12345678', acts: [] }]
  await check(chain, request({ acts, calls }))
  const codes = asked.filter(one => one.startsWith('code'))
  expect(codes).toHaveLength(64)
  expect(codes.filter(one => one.toLowerCase().endsWith(PARTY.slice(2).toLowerCase()))).toHaveLength(1)
})

test('texts that are not addresses are not queried', async () => {
  const { chain, asked } = nodeWith({})
  const gain = (to: string): Act => ({ kind: 'gain', by: PARTY, to })
  await check(chain, request({ acts: [gain(''), gain('mira.eth'), gain(`0x${'1'.repeat(64)}`), gain('0x12')] }))
  expect(asked).toEqual([`code ${PARTY}`])
})

test('a call that executes for a contract queries whether the contract is a Safe', () => {
  const executing = safe.encodeFunctionData('execTransaction', [PARTY, 7, '0x', 0, 0, 0, 0, TOKEN, PARTY, '0x']) as Hex
  const addressed = addressesOf({ from: ADDRESS, to: SAFE as Hex, data: executing })
  expect(addressed).toMatchObject({
    account: ADDRESS,
    safes: [SAFE],
    payments: [{ from: SAFE, to: PARTY, value: '7' }],
  })
  expect(addressed.calls.map(({ to, value }) => [to, value])).toEqual([
    [SAFE, 0n],
    [PARTY, 7n],
  ])
  expect(addressesOf({ from: ADDRESS, to: SAFE as Hex, value: '0x5' })).toEqual({
    account: ADDRESS,
    calls: [{ from: ADDRESS, to: SAFE, value: 5n, data: '0x', acts: [] }],
    acts: [],
    payments: [],
    safes: [],
  })
})

test("a request's facts do not include paid tokens", () => {
  const checks = { ...UNKNOWN, tokens: [TOKEN], withCode: [PARTY] }
  expect(factsOf(checks)).toEqual({ withoutCode: [], withCode: [PARTY], delegated: [], safes: [] })
})
