import { expect, test } from 'vitest'
import { contractList } from '../wallet.fixture.ts'
import { createKnownContracts } from './known-contracts.ts'

const ROUTER = '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af'
const contract = { address: ROUTER, protocol: 'Uniswap', what: 'Universal Router', role: 'router' }

/** Creates the list, and counts how often its file is read. */
const startList = (lists: Record<string, readonly (readonly string[])[]>) => {
  let reads = 0
  const known = createKnownContracts(async () => {
    reads++
    return lists
  })
  return { known, reads: () => reads }
}

test("a network's contracts are found by address in lower case", async () => {
  const { known } = startList({ 1: [[ROUTER, 'Uniswap', 'Universal Router', 'router']] })
  const contracts = await known(1)
  expect(contracts.get(ROUTER.toLowerCase())).toEqual(contract)
  expect(contracts.get(ROUTER)).toBeUndefined()
})

test('a network without contracts has none', async () => {
  const { known } = startList({ 1: [[ROUTER, 'Uniswap', 'Universal Router', 'router']] })
  expect(await known(10)).toEqual(new Map())
})

test('the file is read only once, when it is first needed', async () => {
  const { known, reads } = startList({ 1: [], 10: [] })
  expect(reads()).toBe(0)
  await Promise.all([known(1), known(10)])
  expect(await known(1)).toBe(await known(1))
  expect(reads()).toBe(1)
})

test("the extension's list describes each contract completely, and once per network", async () => {
  for (const [chainId, contracts] of Object.entries(await contractList())) {
    expect(Number(chainId)).toBeGreaterThan(0)
    for (const fields of contracts) {
      expect(fields, fields[0]).toHaveLength(4)
      expect(
        fields.every(field => field !== ''),
        fields[0],
      ).toBe(true)
      expect(fields[0]).toMatch(/^0x[\dA-Fa-f]{40}$/)
    }
    expect(new Set(contracts.map(([address = '']) => address.toLowerCase())).size).toBe(contracts.length)
  }
})
