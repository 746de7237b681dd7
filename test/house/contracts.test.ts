/**
 * Checks the catalogue of contracts (`extension/public/contracts.json`). Generating it downloads packages, so the tests
 * do not generate it again. They check its form and the functions that generate it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checksumAddress } from 'viem'
import { expect, test } from 'vitest'
import {
  type Catalogue,
  mergeEntries,
  serialiseCatalogue,
  toCatalogue,
  validateCatalogue,
} from '../../extension/contracts/catalogue.ts'
import { isListed } from '../../extension/contracts/chains.ts'
import { type Entry, entry, ROLES, type Role } from '../../extension/contracts/entries.ts'
import { FACTS } from '../../extension/contracts/facts.ts'
import { literalAfter, solidityConstants } from '../../extension/contracts/literal.ts'
import { verifyIntegrity } from '../../extension/contracts/packages.ts'
import { SOURCES } from '../../extension/contracts/sources.ts'
import { viemEntries } from '../../extension/contracts/viem.ts'
import { root } from '../support/root.ts'

const file = readFileSync(join(root, 'extension/public/contracts.json'), 'utf8')
const catalogue: Catalogue = JSON.parse(file)
const rows = Object.entries(catalogue).flatMap(([chainId, list]) => list.map(row => ({ chainId, row })))

const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const entryOf = (address: string, protocol = 'WETH', name = 'wrapped ether', role: Role = 'wrapped'): Entry => ({
  chainId: 1,
  address,
  protocol,
  name,
  role,
})

/** Contracts on Ethereum that the approval window must name. */
const REQUIRED: Readonly<Record<string, string>> = {
  '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2': 'WETH wrapped',
  '0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84': 'Lido staking',
  '0xC36442b4a4522E871399CD717aBDD847Ab11FE88': 'Uniswap pool',
  '0x000000000022D473030F116dDEE9F6B43aC78BA3': 'Uniswap permit',
  '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af': 'Uniswap router',
  '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D': 'Uniswap router',
  '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45': 'Uniswap router',
  '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4': 'UniswapX router',
  '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2': 'Aave lending',
  '0xc3d688B66703497DAA19211EEdff47f25384cdc3': 'Compound lending',
  '0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb': 'Morpho lending',
  '0xbEbc44782C7dB0a1A60Cb6fe97d0b483032FF1C7': 'Curve pool',
  '0x0000000000000068F116a894984e2DB1123eB395': 'OpenSea marketplace',
  '0x1E0049783F008A0085193E00003D00cd54003c71': 'OpenSea marketplace',
  '0x0000a26b00c1F0DF003000390027140000fAa719': 'OpenSea fees',
  '0x000000000000Ad05Ccc4F10045630fb830B95127': 'Blur marketplace',
  '0x61935CbDd02287B511119DDb11Aeb42F1593b7Ef': '0x router',
  '0xDef1C0ded9bec7F1a1670819833240f027b25EfF': '0x router',
  '0x9008D19f58AAbD9eD0D60971565AA8510560ab41': 'CoW Protocol router',
  '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110': 'CoW Protocol router',
  '0x111111125421cA6dc452d289314280a0f8842A65': '1inch router',
  '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e': 'ENS names',
  '0x253553366Da8546fC250F225fe3d25d0C782303b': 'ENS names',
  '0xF29100983E058B709F3D539b0c765937B804AC15': 'ENS names',
  '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5': 'Across bridge',
  '0x4Dbd4fc535Ac27206064B68FfCf827b0A60BAB3f': 'Arbitrum bridge',
  '0x99C9fc46f92E8a1c0deC1b1747d010903E884bE1': 'Optimism bridge',
  '0x41675C099F32341bf84BFc5382aF534df5C7461a': 'Safe safe-singleton',
  '0x9641d764fc13c8B624c04430C7356C1C7C8102e2': 'Safe safe-multisend-call-only',
  '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226': 'Safe safe-module',
  '0x0000000071727De22E5E9d8BAf0edAc6f37da032': 'ERC-4337 entry-point',
  '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108': 'ERC-4337 entry-point',
}

/** Networks that most users use. */
const MAIN_NETWORKS = [
  1, 10, 56, 100, 137, 146, 130, 324, 480, 5000, 8217, 8453, 42161, 42220, 43114, 59144, 80094, 81457, 534352,
]

test('the file is valid, formatted as the generator writes it, and small', () => {
  validateCatalogue(catalogue)
  expect(file).toBe(serialiseCatalogue(catalogue))
  expect(file.length).toBeLessThan(400_000)
})

test('it has at least 60 protocols, and the networks that most users use', () => {
  expect(new Set(rows.map(({ row: [, protocol] }) => protocol)).size).toBeGreaterThanOrEqual(60)
  expect(Object.keys(catalogue).map(Number)).toEqual(expect.arrayContaining(MAIN_NETWORKS))
  expect(Object.keys(catalogue).every(chainId => isListed(Number(chainId)))).toBe(true)
})

test('addresses have checksums, roles are known, and each role is used', () => {
  for (const { row } of rows) {
    const [address, , name, role] = row
    expect(address).toBe(checksumAddress(`0x${address.slice(2).toLowerCase()}`))
    expect(ROLES, name).toContain(role)
  }
  expect([...new Set(rows.map(({ row }) => row[3]))].toSorted()).toEqual([...ROLES].toSorted())
})

test('the required contracts on Ethereum are named', () => {
  const named = Object.fromEntries(
    catalogue[1]?.map(([address, protocol, , role]) => [address, `${protocol} ${role}`]) ?? [],
  )
  expect(named).toMatchObject(REQUIRED)
})

test('a network has at most one wrapped native coin', () => {
  for (const [chainId, list] of Object.entries(catalogue))
    expect(list.filter(([, , , role]) => role === 'wrapped').length, chainId).toBeLessThanOrEqual(1)
  for (const chainId of MAIN_NETWORKS.filter(id => id !== 42220))
    expect(
      catalogue[chainId]?.some(([, , , role]) => role === 'wrapped'),
      `${chainId}`,
    ).toBe(true)
})

test('the file has every network value and every contract of viem', () => {
  for (const { chainId, address, protocol } of [...FACTS, ...viemEntries()]) {
    const found = catalogue[chainId]?.find(([listed]) => listed.toLowerCase() === address.toLowerCase())
    expect(found?.[1], `${chainId} ${address}`).toBe(protocol)
  }
})

test('packages have exact versions and hashes, each once', () => {
  for (const { name, version, integrity } of SOURCES) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/)
    expect(integrity, name).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
  }
  expect(new Set(SOURCES.map(({ name }) => name)).size).toBe(SOURCES.length)
})

test('an archive with another hash is rejected', () => {
  const empty = 'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=='
  const version = { name: 'empty', version: '1.0.0', integrity: empty }
  expect(() => verifyIntegrity(new Uint8Array(), version)).not.toThrow()
  expect(() => verifyIntegrity(new Uint8Array(1), version)).toThrow(/^empty@1\.0\.0 has integrity sha512-/)
})

test('an address keeps its first name, and a second protocol for it is rejected', () => {
  const [merged, ...others] = mergeEntries([entryOf(WETH.toLowerCase()), entryOf(WETH, 'WETH', 'WETH9')])
  expect(merged).toEqual(entryOf(WETH))
  expect(others).toEqual([])
  expect(() => mergeEntries([entryOf(WETH), entryOf(WETH, 'Uniswap', 'router')])).toThrow(
    `1 ${WETH.toLowerCase()} is both WETH wrapped ether and Uniswap router`,
  )
})

test('contracts are sorted by chain and address, one per line', () => {
  const made = toCatalogue([
    { ...entryOf(WETH), chainId: 10 },
    entryOf(WETH),
    entryOf(PERMIT2, 'Uniswap', 'Permit2', 'permit'),
  ])
  const weth = `["${WETH}","WETH","wrapped ether","wrapped"]`
  expect(serialiseCatalogue(made)).toBe(
    `{"1":[\n["${PERMIT2}","Uniswap","Permit2","permit"],\n${weth}\n],\n"10":[\n${weth}\n]}\n`,
  )
})

test('malformed contracts are rejected', () => {
  const refused = (...row: Catalogue[string][number]) => expect(() => validateCatalogue({ 1: [row] }))
  refused(WETH.toLowerCase(), 'WETH', 'wrapped ether', 'wrapped').toThrow('address without its checksum')
  refused(`0x${'0'.repeat(40)}`, 'WETH', 'wrapped ether', 'wrapped').toThrow('the zero address')
  refused('0x12', 'WETH', 'wrapped ether', 'wrapped').toThrow('0x12 is not an address')
  refused(WETH, '', 'wrapped ether', 'wrapped').toThrow('protocol ""')
  refused(WETH, 'WETH', 'x'.repeat(41), 'wrapped').toThrow('name "xxx')
  refused(WETH, 'WETH', 'wrapped ether', 'coin').toThrow('unknown role coin')
  const row = [WETH, 'WETH', 'wrapped ether', 'wrapped'] as const
  expect(() => validateCatalogue({ 1: [row, row] })).toThrow('not sorted')
})

test('entries of unknown chains and of the zero address are left out', () => {
  expect(entry('Ethereum Mainnet', WETH, 'WETH', ['wrapped ether', 'wrapped'])).toEqual([entryOf(WETH)])
  expect(entry('solana', WETH, 'WETH', ['wrapped ether', 'wrapped'])).toEqual([])
  expect(entry(5, WETH, 'WETH', ['wrapped ether', 'wrapped'])).toEqual([])
  expect(entry(1, `0x${'0'.repeat(40)}`, 'WETH', ['wrapped ether', 'wrapped'])).toEqual([])
})

test('literals are read without running them', () => {
  const text = `
    const ROUTER = '${WETH}'
    exports.TABLE = exports.OTHER = void 0
    exports.TABLE = {
      ...SHARED, // a comment, with a comma
      [ChainId.MAINNET]: ROUTER,
      [base.id]: (0, types.toAddress)("${PERMIT2}"),
      [10 /* OPTIMISM */]: { 'USDC.e': ['a', "b,}"], call: f(1, { x: 2 }) },
      5e3: 12,
      method() { return {} },
    }`
  expect(literalAfter(text, 'TABLE = {')).toEqual({
    MAINNET: WETH,
    base: PERMIT2,
    10: { 'USDC.e': ['a', 'b,}'], call: 'f(1, { x: 2 })' },
    5000: '12',
  })
  expect(() => literalAfter(text, 'ABSENT')).toThrow('"ABSENT" is not in the file')
  expect(() => literalAfter("x = { a: 'b", 'x =')).toThrow('A string is not closed')
  expect(
    solidityConstants(`IPool internal constant POOL = IPool(${WETH});\n address constant A =\n ${PERMIT2};`),
  ).toEqual({
    POOL: WETH,
    A: PERMIT2,
  })
})
