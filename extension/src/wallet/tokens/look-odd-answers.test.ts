/** The wallet's own look over contracts and nodes with odd answers: they spoil nothing else. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeError } from '../networks/answers.ts'
import { localChain } from '../networks/networks.fixture.ts'
import { ADDRESS, createdWallet } from '../wallet.fixture.ts'
import { startTokenChain, transferLog, word } from './token-chain.fixture.ts'

const { chainId } = localChain
const [GOLD, ODD, STRAY] = ['a1', 'a2', 'b1'].map(byte => `0x${byte.repeat(20)}`) as [string, string, string]
const tokenList = async () => ({
  [chainId]: [[ODD, 'ODD', 18] as const, [GOLD, 'GOLD', 6] as const],
})
const good = {
  [GOLD]: { symbol: 'GOLD', decimals: 6, held: 5n },
  [STRAY]: { symbol: 'STRAY', decimals: 18, held: 7n },
}
const logs = [transferLog(ODD, ADDRESS, { block: 9 }), transferLog(STRAY, ADDRESS, { block: 10 })]

const RUNS = 25

const hex = fc.uint8Array({ maxLength: 200 }).map(bytes => `0x${Buffer.from(bytes).toString('hex')}`)
/** Answers of contracts: any bytes, an absurd balance, a string that never ends. */
const ofContract = fc.oneof(
  hex,
  fc.constant(`0x${'f'.repeat(64)}`),
  fc.constant(`0x${word(32)}${word(2 ** 31)}`),
  fc.constant(`0x${word(32)}${word(5)}${'fffe'.padEnd(64, '0')}`),
)
/** Answers of nodes: also other types than the standard's, and errors. */
const ofNode = fc.oneof(
  ofContract,
  fc.jsonValue(),
  fc.constantFrom(null, '', '0x', 'lots', Number.MAX_VALUE, [], {}, [null, 1, {}], 'x'.repeat(10_000)),
  fc.constant('refuse' as const),
)
const METHODS = ['eth_getCode', 'eth_getLogs', 'eth_blockNumber', 'eth_getBlockByNumber'] as const

const look = async (world: Parameters<typeof startTokenChain>[0]) => {
  const fake = startTokenChain({ tokens: good, logs, ...world })
  const { wallet } = await createdWallet({ chain: fake.chain, tokenList })
  await wallet.tend()
  const view = async () => (await wallet.ui.getState(null)).looks[0]
  await expect.poll(view, { interval: 2 }).toMatchObject({ at: expect.any(Number) })
  await expect.poll(async () => (await view())?.status, { interval: 2 }).not.toBe('running')
  return { view: await view(), assets: (await wallet.ui.getState(null)).assets.map(({ symbol }) => symbol) }
}

test('whatever one token answers, the others are found', async () => {
  await fc.assert(
    fc.asyncProperty(ofContract, fc.boolean(), async (answer, hasMulticall) => {
      const { view, assets } = await look({ hasMulticall, tokens: { ...good, [ODD]: { answer: () => answer } } })
      expect(view).toMatchObject({ status: 'done' })
      expect(view?.tokens).toBeGreaterThanOrEqual(2)
      expect(assets).toContain('GOLD')
    }),
    { numRuns: RUNS },
  )
})

test('whatever a node answers to one method, listed tokens are found, and the look ends', async () => {
  await fc.assert(
    fc.asyncProperty(ofNode, fc.constantFrom(...METHODS), fc.boolean(), async (answer, odd, hasMulticall) => {
      const before = (method: string) => {
        if (method !== odd) return undefined
        if (answer === 'refuse') throw nodeError({ code: -32000, message: 'not today' })
        return answer
      }
      const { view, assets } = await look({ hasMulticall, before })
      expect(view?.at).not.toBeNull()
      expect(assets).toContain('GOLD')
    }),
    { numRuns: RUNS },
  )
})
