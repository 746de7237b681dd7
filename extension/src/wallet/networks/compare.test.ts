import { EMPTY_CODE_HASH, hashCode } from '@heliograph/shared/evm/account-proof'
import { toAddress } from '@heliograph/shared/evm/address'
import { expect, test } from 'vitest'
import { ADDRESS } from '../wallet.fixture.ts'
import { judgeComparison, type ShownInstead } from './checked.ts'
import { MAX_LAG } from './common-block.ts'
import { compareFacts } from './compare.ts'
import { allowanceFact, balanceFact, codeFact, nonceFact, tokenBalanceFact } from './facts.ts'
import { type ChainInTest, COMPARES, comparedNetwork, READS, startTwoNodes } from './two-nodes.fixture.ts'

const ACCOUNT = toAddress(ADDRESS)
const CONTRACT = toAddress(`0x${'cc'.repeat(20)}`)
const TOKEN = toAddress(`0x${'a1'.repeat(20)}`)
const CODE = '0x6001'

const state = {
  [ADDRESS.toLowerCase()]: { balance: 700n, nonce: 3n },
  [CONTRACT.toLowerCase()]: { code: CODE, nonce: 1n },
} as const
const facts = [
  balanceFact(ACCOUNT),
  nonceFact(ACCOUNT),
  codeFact(CONTRACT),
  tokenBalanceFact(TOKEN, ACCOUNT),
  allowanceFact(TOKEN, ACCOUNT, CONTRACT),
]
const start = (given: Partial<ChainInTest> = {}) =>
  startTwoNodes({ states: [state], tokens: { [TOKEN.toLowerCase()]: 55n }, ...given })
const judged = async ({ chain }: ReturnType<typeof start>, shown?: ShownInstead) => {
  const comparison = await compareFacts(chain, comparedNetwork, facts, 200)
  if (!comparison) throw new Error('nothing was compared')
  const { view, findings } = judgeComparison(comparison, shown)
  return { ...view, findings, by: Object.fromEntries(view.facts.map(({ fact, by }) => [fact, by])) }
}
const PROVED = { balance: 'proved', nonce: 'proved', code: 'proved', tokenBalance: 'agreed', allowance: 'agreed' }
const AGREED = { balance: 'agreed', nonce: 'agreed', code: 'agreed', tokenBalance: 'agreed', allowance: 'agreed' }
const ALONE = { balance: 'alone', nonce: 'alone', code: 'alone', tokenBalance: 'alone', allowance: 'alone' }

test('an account is proved against the root on which both nodes agree, and a token is compared', async () => {
  const { by, hosts, block, findings } = await judged(start())
  expect(by).toEqual(PROVED)
  expect([hosts, block, findings]).toEqual([['reads.example', 'compares.example'], '100', []])
})

test('nothing is asked without a node for comparing', async () => {
  const { chain, received } = start()
  expect(await compareFacts(chain, { ...comparedNetwork, nodeUses: {} }, facts)).toBeNull()
  expect(received).toEqual([])
})

test('nodes that serve no proofs, or broken ones, agree', async () => {
  for (const answer of [
    () => null,
    () => ({ accountProof: 'none' }),
    () => ({ accountProof: ['0xc0'] }),
    () => ({ accountProof: Array(100).fill('0xc0') }),
  ]) {
    const two = start()
    for (const node of Object.values(two.nodes)) if (node) node.answers.eth_getProof = answer
    expect((await judged(two)).by).toEqual(AGREED)
  }
})

test("one node's proofs are enough, and either node's will do", async () => {
  for (const url of [READS, COMPARES]) {
    const two = start()
    two.nodeAt(url).answers.eth_getProof = () => null
    expect((await judged(two)).by).toEqual(PROVED)
  }
})

const LIES = [
  ['balance', 'eth_getBalance', () => '0xffffff', ['16777215', '700']],
  ['nonce', 'eth_getTransactionCount', () => '0x9', ['9', '3']],
  ['code', 'eth_getCode', () => '0x', [EMPTY_CODE_HASH, hashCode(CODE)]],
] as const

test.each(LIES)('a lie about the %s is found, with both answers', async (fact, method, lie, said) => {
  const two = start()
  two.nodeAt(READS).answers[method] = lie
  const { by, findings } = await judged(two)
  expect(by).toEqual({ ...PROVED, [fact]: 'differs' })
  const level = fact === 'nonce' ? 'caution' : 'danger'
  const [own, other] = said
  expect(findings).toEqual([
    {
      level,
      name: 'nodesDisagree',
      values: [fact, expect.any(String), 'reads.example', own, 'compares.example', other],
    },
  ])
})

test.each(LIES)(
  'if the comparing node lies about the %s, the proved answer is a caution',
  async (fact, method, lie, said) => {
    const two = start()
    two.nodeAt(COMPARES).answers[method] = lie
    const { by, findings } = await judged(two)
    expect(by).toEqual(PROVED)
    const [other, own] = said
    expect(findings).toMatchObject([
      { level: 'caution', values: [fact, expect.any(String), 'reads.example', own, 'compares.example', other] },
    ])
  },
)

test('a lie about a token is found, although nothing proves it', async () => {
  const two = start()
  two.nodeAt(READS).answers.eth_call = () => `0x${'f'.repeat(64)}`
  const { by, findings } = await judged(two)
  expect(by).toEqual({ ...PROVED, tokenBalance: 'differs', allowance: 'differs' })
  expect(findings.map(({ level }) => level)).toEqual(['danger', 'danger'])
})

test('a node that tells one thing about the newest block and another about its number is found', async () => {
  const shown: ShownInstead = ({ fact }) => (fact.name === 'balance' ? '999' : null)
  const { by, findings } = await judged(start(), shown)
  expect(by).toEqual({ ...PROVED, balance: 'differs' })
  expect(findings).toMatchObject([
    { level: 'danger', values: ['balance', ADDRESS, 'reads.example', '999', 'compares.example', '700'] },
  ])
})

test('a comparing node that lags is no liar: both are asked about its newest block', async () => {
  const older = { ...state, [ADDRESS.toLowerCase()]: { balance: 5n, nonce: 2n } }
  const two = start({ states: [older, state] })
  two.nodeAt(COMPARES).head = 99
  const shown: ShownInstead = ({ fact }, value) => (fact.name === 'balance' && value !== '700' ? '700' : null)
  const { by, block, findings } = await judged(two, shown)
  expect([block, findings]).toEqual(['99', []])
  // What is shown is newer than the compared block, so only the reading node says so.
  expect(by).toEqual({ ...PROVED, balance: 'alone' })
})

test('a node that lags too far, or whose newest block is unknown, is not compared', async () => {
  const two = start()
  two.nodeAt(COMPARES).head = 100 - Number(MAX_LAG) - 1
  expect(await judged(two)).toMatchObject({ by: ALONE, block: null, findings: [] })
  two.nodes[COMPARES] = { head: 100, answers: { eth_getBlockByNumber: () => null } }
  expect((await judged(two)).by).toEqual(ALONE)
})

test('a dead or a hanging comparing node leaves the facts to the reading node', async () => {
  const dead = start()
  dead.nodes[COMPARES] = null
  expect(await judged(dead)).toMatchObject({ by: ALONE, findings: [] })
  const hanging = start()
  hanging.nodeAt(COMPARES).answers.eth_getBalance = () => new Promise(() => {})
  expect(await judged(hanging)).toMatchObject({ by: ALONE, findings: [] })
})

test('a node with another chain is found, and proves nothing', async () => {
  const two = start()
  two.nodeAt(READS).answers.eth_getBlockByNumber = ([tag]) => ({
    number: tag === 'latest' ? '0x64' : tag,
    hash: `0x${'bad'.padStart(64, '0')}`,
    stateRoot: `0x${'0'.repeat(64)}`,
  })
  const { by, findings } = await judged(two)
  expect(by).toEqual({ block: 'differs', ...AGREED })
  expect(findings).toMatchObject([
    { level: 'danger', name: 'nodesDisagree', values: expect.arrayContaining(['block']) },
  ])
})

test('after a reorganization of the newest blocks, an earlier block is compared', async () => {
  const two = start()
  two.nodeAt(COMPARES).answers.eth_getBlockByNumber = ([tag]) => {
    const number = tag === 'latest' ? 100 : Number(tag)
    return {
      number: `0x${number.toString(16)}`,
      hash: `0x${(number > 97 ? 5 : number).toString(16).padStart(64, '0')}`,
    }
  }
  const { by, block } = await judged(two)
  expect([by, block]).toEqual([AGREED, '96'])
})

test('values that are no numbers and no code are not compared', async () => {
  const two = start()
  two.nodeAt(COMPARES).answers = {
    eth_getBalance: () => 'lots',
    eth_getCode: () => ({}),
    eth_call: () => '0x',
    eth_getTransactionCount: () => null,
    eth_getProof: () => null,
  }
  two.nodeAt(READS).answers.eth_getProof = () => null
  expect(await judged(two)).toMatchObject({ by: ALONE, findings: [] })
})
