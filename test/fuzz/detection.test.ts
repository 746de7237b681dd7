/** Generated attacks detect a weak review. A contract that recognizes a simulation by any sign deceives a careless one. */
import { expect, test } from 'vitest'
import { OWNERS, TOKENS, TRAPS } from './addresses.ts'
import { encodeCall } from './encode.ts'
import { fuzz } from './fuzz.ts'
import { SIGNS } from './signs.ts'
import { useWorld } from './use-world.ts'
import { WEAKNESSES, weakened } from './weak-reviews.ts'

/** Timeout in ms, long because other tests run at the same time. */
const TIMEOUT = 600_000

const started = useWorld(TIMEOUT)

test.each(WEAKNESSES)('a review that $name is detected', { timeout: TIMEOUT }, async weakness => {
  const { world, review } = started()
  const { kind, cases, detected } = weakness
  const report = await fuzz({ world, review: weakened(review, weakness), kinds: [kind], cases, seed: 1 })
  if (detected === null)
    expect(report.examples).toContainEqual(expect.objectContaining({ one: expect.objectContaining({ mutations: [] }) }))
  else expect(report.examples.map(({ one }) => one.mutations.map(({ name }) => name))).toContainEqual([detected])
})

type Frame = { calls?: readonly { type: string }[] }

test.each(SIGNS.map((sign, at) => ({ sign, trap: TRAPS[at] ?? '' })))(
  'a careless simulation shows a reward from the contract that recognizes it by: $sign.name',
  async ({ sign: { careless = {}, mined }, trap }) => {
    const { world } = started()
    const [owner] = OWNERS
    const [token = ''] = TOKENS
    const { number, timestamp } = (await world.rpc('eth_getBlockByNumber', ['latest', false])) as Record<string, string>
    const next = { number: BigInt(number ?? 0) + 1n, time: BigInt(timestamp ?? 0) + 12n }
    const blockOverrides = {
      number: `0x${next.number.toString(16)}`,
      time: `0x${next.time.toString(16)}`,
      ...careless.block,
    }
    const stateOverrides = careless.balance && { [owner]: { balance: careless.balance } }
    const call = { from: owner, to: trap, data: '0x', gas: '0xf4240', ...careless.transaction }
    const options = { tracer: 'callTracer', blockOverrides, ...(stateOverrides && { stateOverrides }) }
    const frame = (await world.rpc('debug_traceCall', [call, 'latest', options])) as Frame
    expect(frame.calls?.map(({ type }) => type)).toEqual(['CALL'])

    const probes = [{ to: token, data: encodeCall('balanceOf(address)', [trap]) }]
    const acts = [{ to: trap, value: 0n, data: '0x' }]
    const [[taken] = []] = await world.observe([{ actor: owner, acts, probes, mined }])
    expect(taken).toBe(1000n * 10n ** 18n)
  },
)
