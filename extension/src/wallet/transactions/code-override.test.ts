import { expect, test } from 'vitest'
import { testNetworks } from '../networks/networks.fixture.ts'
import type { Chain, Question } from '../networks/node.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { withCode } from './code-override.ts'

const [network] = testNetworks
if (!network) throw new Error('there is no test network')
const CODE = '0xef0100'
const state = { [ADDRESS]: { code: CODE } }

const start = () => {
  const asked: Question[] = []
  const note = (question: Question) => void asked.push(question)
  const base: Chain = async (_, method, params = []) => note({ method, params })
  const chain: Chain = Object.assign(base, {
    all: async (_: unknown, questions: readonly Question[]) => {
      for (const question of questions) note(question)
      return questions.map(() => ({ result: null }))
    },
    read: async <T>(_: unknown, question: Question, read: (result: unknown) => T) => {
      note(question)
      return read(null)
    },
    until: () => chain,
  })
  return { asked, chain: withCode(chain, ADDRESS, CODE) }
}

const call = { from: ADDRESS, to: ADDRESS.toLowerCase(), data: '0x12' }

test('calls to the account run with its code, in the form of each method', async () => {
  const { asked, chain } = start()
  await chain(network, 'eth_call', [call, '0x5'])
  await chain(network, 'eth_estimateGas', [call])
  await chain(network, 'debug_traceCall', [call, 'latest', { tracer: 'callTracer' }])
  await chain(network, 'eth_simulateV1', [{ blockStateCalls: [{ blockOverrides: {}, calls: [call] }] }, '0x5'])
  expect(asked.map(({ params }) => params)).toEqual([
    [call, '0x5', state],
    [call, 'latest', state],
    [call, 'latest', { tracer: 'callTracer', stateOverrides: state }],
    [{ blockStateCalls: [{ blockOverrides: {}, calls: [call], stateOverrides: state }] }, '0x5'],
  ])
})

test('other calls and methods are not changed', async () => {
  const { asked, chain } = start()
  const other = { from: ADDRESS, to: SECOND }
  const questions: Question[] = [
    { method: 'eth_call', params: [other, 'latest'] },
    { method: 'eth_call', params: [null, 'latest'] },
    { method: 'eth_simulateV1', params: [{ blockStateCalls: [{ calls: [other] }] }, 'latest'] },
    { method: 'eth_getBalance', params: [ADDRESS, 'latest'] },
  ]
  for (const { method, params } of questions) await chain(network, method, params)
  expect(asked).toEqual(questions)
})

test('calls in a batch, parsed calls and calls with a time limit also run with the code', async () => {
  const { asked, chain } = start()
  const question = { method: 'eth_call', params: [call, 'latest'] }
  await chain.all?.(network, [question])
  await chain.read?.(network, question, () => 0)
  await chain.until?.(AbortSignal.timeout(1_000))(network, 'eth_call', question.params)
  expect(asked.map(({ params }) => params[2])).toEqual([state, state, state])
})
