/**
 * Compares reads through Multicall3 with plain reads of the same chain, and does the same on a chain without
 * Multicall3.
 */
import { defaultNetworks, type Network } from '@heliograph/shared/network'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MULTICALL, type Read, readTogether } from '../../extension/src/wallet/networks/multicall.ts'
import { createChain, postWithin } from '../../extension/src/wallet/networks/node.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { compileContracts } from '../support/compile.ts'

const NODE_TIMEOUT = 20_000
const CASES = 20
const addressOf = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`
const [COIN, OTHER_COIN, BROKEN, BOMB, HOG] = [0xc1, 0xc2, 0xb1, 0xb2, 0xa1].map(addressOf)
const NOTHING_THERE = addressOf(0xdead)
const TOKENS = [COIN, OTHER_COIN, BROKEN, NOTHING_THERE] as string[]

let anvil: Anvil
let network: Network
let requests = 0
const post = postWithin(NODE_TIMEOUT)
const chain = createChain((...args) => {
  requests++
  return post(...args)
})

const balanceRead = (token: string, account: string): Read => ({
  to: token,
  data: `0x70a08231${account.slice(2).padStart(64, '0')}`,
})
const plainly = async (read: Read): Promise<unknown> => {
  const asked =
    'balanceOf' in read
      ? chain(network, 'eth_getBalance', [read.balanceOf, 'latest'])
      : chain(network, 'eth_call', [read, 'latest'])
  // A balance that a contract returns has leading zeros, unlike a balance from the node, so balances are compared as
  // numbers.
  return asked.then(value => ('balanceOf' in read ? BigInt(String(value)) : value)).catch(() => 'failed')
}
const together = async (reads: readonly Read[]): Promise<unknown[]> =>
  (await readTogether(chain, network, reads)).map((outcome, at) => {
    if ('error' in outcome) return 'failed'
    return 'balanceOf' in (reads[at] as Read) ? BigInt(String(outcome.result)) : outcome.result
  })
const put = (address: string, name: string, contracts: ReadonlyMap<string, string>) =>
  chain(network, 'anvil_setCode', [address, contracts.get(name)])

const account = fc.integer({ min: 0x1_0000, max: 0x1_0007 }).map(addressOf)
const amount = fc.bigInt({ min: 0n, max: 2n ** 200n })
const read = fc.oneof(
  account.map((balanceOf): Read => ({ balanceOf })),
  fc.tuple(fc.constantFrom(...TOKENS), account).map(([token, holder]) => balanceRead(token, holder)),
)
const mint = async (token: string, to: string, value: bigint) => {
  const data = `0x40c10f19${to.slice(2).padStart(64, '0')}${value.toString(16).padStart(64, '0')}`
  await chain(network, 'eth_sendTransaction', [{ from: addressOf(0x99), to: token, data, gas: '0x186a0' }])
}

beforeAll(async () => {
  anvil = await startAnvil({ args: ['--hardfork', 'cancun'] })
  network = { ...(defaultNetworks[0] as Network), rpcUrls: [anvil.url] }
  const contracts = compileContracts('support/contracts')
  for (const token of [COIN, OTHER_COIN]) await put(String(token), 'Coin', contracts)
  await put(String(BROKEN), 'Broken', contracts)
  await put(String(BOMB), 'Bomb', contracts)
  await put(String(HOG), 'Hog', contracts)
  await chain(network, 'anvil_setBalance', [addressOf(0x99), '0x56bc75e2d63100000'])
  await chain(network, 'anvil_autoImpersonateAccount', [true])
})
afterAll(() => anvil?.stop())

const holdsForAnyReads = () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(read, { maxLength: 30 }),
      fc.array(fc.tuple(account, amount), { maxLength: 3 }),
      async (reads, funds) => {
        for (const [holder, value] of funds) {
          await chain(network, 'anvil_setBalance', [holder, `0x${value.toString(16)}`])
          await mint(String(COIN), holder, value)
        }
        await chain(network, 'anvil_mine', [])
        expect(await together(reads)).toEqual(await Promise.all(reads.map(plainly)))
      },
    ),
    { numRuns: CASES },
  )

describe('on a chain without Multicall3', () => {
  test('values equal plain reads', holdsForAnyReads)
})

describe('on a chain with Multicall3', () => {
  beforeAll(() => put(MULTICALL, 'Multicall', compileContracts('support/contracts')))

  test('values equal plain reads', holdsForAnyReads)

  test('200 values take one request', async () => {
    const reads = Array.from({ length: 200 }, (_, at): Read => balanceRead(String(COIN), addressOf(0x1_0000 + at)))
    const before = requests
    await together(reads)
    expect(requests - before).toBe(1)
  })

  test.each([
    ['reverts', BROKEN],
    ['returns 2 MB', BOMB],
    ['uses all gas', HOG],
  ])('a contract that %s does not hide the values of other contracts', async (_, token) => {
    const reads = [
      { balanceOf: addressOf(0x99) },
      balanceRead(String(token), addressOf(1)),
      balanceRead(String(COIN), addressOf(0x1_0001)),
    ]
    const [coins, , held] = await together(reads)
    expect([coins, held]).toEqual([await plainly(reads[0] as Read), await plainly(reads[2] as Read)])
  })
})
