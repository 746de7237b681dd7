import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { hashTransaction, signTransaction } from '@heliograph/shared/evm/transaction'
import type { Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import { activityOf, createActivity, type Occasion } from '../activity/activity.ts'
import { nodeError } from '../networks/answers.ts'
import { testNetworks } from '../networks/networks.fixture.ts'
import { refusal, unreachable } from '../networks/node.fixture.ts'
import { memoryStore } from '../storage/store.ts'
import { ADDRESS, type Answers, chainOf, SECOND, SITE } from '../wallet.fixture.ts'
import { createSerialQueue } from '../work/turns.ts'
import { createWatching, FRESH_PAUSE, FRESH_TIME, OLD_PAUSE, RESEND_PAUSE, SECOND_LOOK } from './watching.ts'

const [network] = testNetworks as [Network]
const sign = (nonce: number, value = 1n): Hex =>
  signTransaction(
    {
      type: 'legacy',
      chainId: 31337n,
      nonce: BigInt(nonce),
      gas: 50_000n,
      gasPrice: 7n,
      to: SECOND,
      value,
      data: '0x12',
    },
    new Uint8Array(32).fill(1),
  )

/** Creates a node with `used` mined nonces, and with the given transactions and receipts. */
const start = (answers: Answers = {}) => {
  const clock = { time: 1_000 }
  const node = { used: 0, pool: 0, known: new Set<Hex>(), receipts: new Map<unknown, object>(), sent: [] as Hex[] }
  const chain = chainOf({
    eth_getTransactionCount: ([, tag]) =>
      encodeQuantity(tag === 'pending' ? Math.max(node.pool, node.used) : node.used),
    eth_getTransactionByHash: ([hash]) => (node.known.has(hash as Hex) ? { hash } : null),
    eth_getTransactionReceipt: ([hash]) => node.receipts.get(hash) ?? null,
    eth_sendRawTransaction: ([raw]) => {
      node.sent.push(raw as Hex)
      node.known.add(hashTransaction(raw))
      return hashTransaction(raw)
    },
    ...answers,
  })
  const activity = createActivity(memoryStore())
  const resetChains: number[] = []
  const settled: unknown[] = []
  const watching = createWatching({
    activity,
    chainResets: { look: async () => {}, list: async () => resetChains },
    networks: { get: async () => network },
    chain,
    sendInTurn: createSerialQueue(),
    onSettled: async ({ hash }, hasFailed) => void settled.push([hash, hasFailed]),
    now: () => clock.time,
  })
  const keep = async (raw: Hex, status: Occasion['status'] = 'pending', key = `${SITE} ${raw}`) => {
    const occasion = { chainId: 31337, account: ADDRESS as Hex, key, origin: SITE, createdAt: clock.time, status }
    await activity.add([activityOf(raw, occasion)])
    return hashTransaction(raw)
  }
  const of = (hash: Hex) => activity.find(hash)
  return { clock, node, activity, resetChains, settled, watching, keep, of }
}
const receipt = { status: '0x1', gasUsed: '0x5208', blockNumber: '0x10', effectiveGasPrice: '0x5' }

test('without pending transactions, the node is not queried and no check is scheduled', async () => {
  const { watching, keep } = start({ eth_getTransactionCount: () => expect.fail('The node was queried') })
  expect(await watching.poll()).toBeNull()
  await keep(sign(0), 'signed')
  expect(await watching.poll()).toBeNull()
})

test('each outcome is reported once, after it was recorded', async () => {
  const { watching, keep, node, settled } = start()
  const good = await keep(sign(0))
  const bad = await keep(sign(1))
  await watching.poll()
  expect(settled).toEqual([])
  node.used = 2
  node.receipts.set(good, receipt)
  node.receipts.set(bad, { ...receipt, status: '0x0' })
  await watching.poll()
  await watching.poll()
  expect(settled).toEqual([
    [good, false],
    [bad, true],
  ])
})

test('a mined transaction is confirmed with its block and fee, and its bytes are dropped', async () => {
  const { watching, keep, of, node, clock } = start()
  const hash = await keep(sign(0))
  node.known.add(hash)
  expect(await watching.poll()).toBe(FRESH_PAUSE)
  clock.time += FRESH_TIME
  expect(await watching.poll()).toBe(OLD_PAUSE)
  node.used = 1
  node.receipts.set(hash, receipt)
  expect(await watching.poll()).toBeNull()
  expect(await of(hash)).toMatchObject({
    status: 'confirmed',
    raw: null,
    block: '0x10',
    fee: encodeQuantity(21_000 * 5),
    settledAt: clock.time,
  })
  expect(node.sent).toEqual([])
})

test('without an effective gas price, the fee is computed from the offered price', async () => {
  const { watching, keep, of, node } = start()
  const hash = await keep(sign(0))
  node.receipts.set(hash, { gasUsed: '0x5208', blockNumber: '0x10' })
  await watching.poll()
  expect(await of(hash)).toMatchObject({ status: 'confirmed', fee: encodeQuantity(21_000 * 7) })
})

test('a failure is explained by repeating the call at its block', async () => {
  const asked: unknown[] = []
  const { watching, keep, of, node } = start({
    eth_call: params => {
      asked.push(params)
      throw nodeError({ code: 3, message: 'execution reverted: price moved' })
    },
  })
  const hash = await keep(sign(0))
  node.receipts.set(hash, { ...receipt, status: '0x0' })
  await watching.poll()
  expect(asked).toEqual([[{ from: ADDRESS, to: SECOND, value: '0x1', data: '0x12', gas: '0xc350' }, '0x10']])
  expect(await of(hash)).toMatchObject({
    status: 'failed',
    failure: { name: 'reverted', reason: 'execution reverted: price moved' },
    fee: encodeQuantity(21_000 * 5),
  })
})

test('if the repeated call succeeds, the block before is tried; without a reason it is still a failure', async () => {
  const blocks: unknown[] = []
  const { watching, keep, of, node } = start({
    eth_call: ([, block]) => {
      blocks.push(block)
      if (block === '0xf') throw unreachable()
      return '0x'
    },
  })
  const hash = await keep(sign(0))
  node.receipts.set(hash, { ...receipt, status: '0x0' })
  await watching.poll()
  expect(blocks).toEqual(['0x10', '0xf'])
  expect(await of(hash)).toMatchObject({ status: 'failed', failure: { name: 'reverted', reason: null } })
})

test('a transaction that used its whole gas limit ran out of gas', async () => {
  const { watching, keep, of, node } = start()
  const hash = await keep(sign(0))
  node.receipts.set(hash, { ...receipt, status: '0x0', gasUsed: '0xc350' })
  await watching.poll()
  expect(await of(hash)).toMatchObject({ status: 'failed', failure: { name: 'outOfGas' } })
})

test('transactions that the node lost are sent again after a while, unchanged and in the same order', async () => {
  const { watching, keep, of, node, clock } = start()
  const raws = [sign(0), sign(1)]
  await keep(raws[1] as Hex)
  const hash = await keep(raws[0] as Hex)
  clock.time += RESEND_PAUSE - 1
  await watching.poll()
  expect(node.sent).toEqual([])
  clock.time += 1
  await watching.poll()
  expect(node.sent).toEqual(raws)
  expect(await of(hash)).toMatchObject({ status: 'pending', sentAt: clock.time })
  node.known.clear()
  await watching.poll()
  expect(node.sent).toHaveLength(2)
})

test("a rejected resend drops the transaction, with the node's message, and the rest of its batch", async () => {
  const { watching, keep, of, clock } = start({
    eth_sendRawTransaction: () => {
      throw refusal('invalidInput', 'insufficient funds')
    },
  })
  const first = await keep(sign(0), 'pending', 'batch')
  const second = await keep(sign(1), 'pending', 'batch')
  clock.time += RESEND_PAUSE
  expect(await watching.poll()).toBeNull()
  expect(await of(first)).toMatchObject({
    status: 'dropped',
    failure: { name: 'refused', reason: 'insufficient funds' },
  })
  expect(await of(second)).toMatchObject({ status: 'dropped', failure: { name: 'notSent' } })
})

test('a rate limit does not drop a transaction that was sent before', async () => {
  const limit = { isReached: false }
  const sent: Hex[] = []
  const { watching, keep, of, clock } = start({
    eth_sendRawTransaction: ([raw]) => {
      if (limit.isReached) throw nodeError({ code: 429, message: 'Too Many Requests' })
      sent.push(raw as Hex)
    },
  })
  const raw = sign(0)
  const hash = await keep(raw)
  const pollLater = async () => {
    clock.time += RESEND_PAUSE
    await watching.poll()
    return (await of(hash))?.status
  }
  expect(await pollLater()).toBe('pending')
  limit.isReached = true
  expect([await pollLater(), sent]).toEqual(['pending', [raw]])
  limit.isReached = false
  expect([await pollLater(), sent]).toEqual(['pending', [raw, raw]])
})

test.for([{ ...receipt, status: '0x2' }, 'mined'])(
  'a receipt %o keeps only its own transaction pending',
  async unreadable => {
    const { watching, keep, of, node } = start()
    const [first, second] = [await keep(sign(0)), await keep(sign(1))]
    node.receipts.set(first, unreadable as object).set(second, receipt)
    node.used = 2
    expect(await watching.poll()).toBe(FRESH_PAUSE)
    expect(await of(first)).toMatchObject({ status: 'pending' })
    expect(await of(second)).toMatchObject({ status: 'confirmed' })
    await expect(watching.look(network, ADDRESS)).rejects.toMatchObject({ code: 4901, reason: 'nodeUnreadable' })
  },
)

test('an unreachable node changes nothing, and is queried again later', async () => {
  const { watching, keep, of, clock } = start({
    eth_getTransactionReceipt: () => {
      throw unreachable()
    },
  })
  const hash = await keep(sign(0))
  clock.time += RESEND_PAUSE
  expect(await watching.poll()).toBe(FRESH_PAUSE)
  expect(await of(hash)).toMatchObject({ status: 'pending' })
})

test('a nonce used by the wallet itself is a replacement at once, and by others at the second check', async () => {
  const { watching, keep, of, node, clock } = start()
  const [slow, fast] = [await keep(sign(0)), await keep(sign(0, 2n))]
  const elsewhere = await keep(sign(1))
  node.used = 2
  node.receipts.set(fast, receipt)
  expect(await watching.poll()).toBe(FRESH_PAUSE)
  expect(await of(fast)).toMatchObject({ status: 'confirmed' })
  expect(await of(slow)).toMatchObject({ status: 'replaced', raw: null })
  clock.time += SECOND_LOOK - 1
  expect(await watching.poll()).toBe(FRESH_PAUSE)
  expect(await of(elsewhere)).toMatchObject({ status: 'pending', raw: expect.any(String) })
  clock.time += 1
  expect(await watching.poll()).toBeNull()
  expect(await of(elsewhere)).toMatchObject({ status: 'replaced', raw: null })
})

test('a transaction that a lagging node does not return stays pending', async () => {
  const { watching, keep, of, node, clock } = start()
  const hash = await keep(sign(0))
  node.used = 1
  await watching.poll()
  clock.time += SECOND_LOOK
  node.used = 0
  node.known.add(hash)
  await watching.poll()
  node.used = 1
  node.known.delete(hash)
  // This poll counts as the first miss again, because the node knew the transaction in between.
  await watching.poll()
  expect(await of(hash)).toMatchObject({ status: 'pending' })
  node.receipts.set(hash, receipt)
  await watching.poll()
  expect(await of(hash)).toMatchObject({ status: 'confirmed' })
})

test('a transaction is not resent while the pool has another one with its nonce', async () => {
  const { watching, keep, of, node, clock } = start()
  const hash = await keep(sign(0))
  node.pool = 1
  clock.time += RESEND_PAUSE
  await watching.poll()
  expect(node.sent).toEqual([])
  expect(await of(hash)).toMatchObject({ status: 'pending' })
})

test('on a lagging node, a used nonce without a receipt is not a replacement', async () => {
  const { watching, keep, of, node } = start()
  const hash = await keep(sign(0))
  node.known.add(hash)
  node.used = 1
  await watching.poll()
  expect(await of(hash)).toMatchObject({ status: 'pending' })
})

test('signed and discarded transactions are found once someone sends them', async () => {
  const { watching, keep, of, node, activity } = start()
  const [signed, discarded] = [await keep(sign(0), 'signed'), await keep(sign(1), 'signed')]
  await activity.change(discarded, { status: 'dropped', failure: { name: 'discarded', reason: null } })
  await watching.look(network, ADDRESS)
  expect((await activity.list()).map(({ status }) => status)).toEqual(['signed', 'dropped'])
  node.known.add(signed).add(discarded)
  await watching.look(network, ADDRESS)
  expect((await activity.list()).map(({ status }) => status)).toEqual(['pending', 'pending'])
  node.receipts.set(signed, receipt)
  node.used = 1
  await watching.look(network, ADDRESS)
  expect(await of(signed)).toMatchObject({ status: 'confirmed' })
})

test('a discarded transaction whose nonce was used stays discarded', async () => {
  const { watching, keep, of, node, activity, clock } = start()
  const hash = await keep(sign(0), 'signed')
  await activity.change(hash, { status: 'dropped', settledAt: 5, failure: { name: 'discarded', reason: null } })
  node.used = 1
  await watching.look(network, ADDRESS)
  clock.time += SECOND_LOOK
  await watching.look(network, ADDRESS)
  expect(await of(hash)).toMatchObject({ status: 'dropped', settledAt: 5, raw: null, failure: { name: 'discarded' } })
})

test('on a reset chain, nothing is resent or replaced', async () => {
  const { watching, keep, of, node, clock, resetChains } = start()
  const [forgotten, overtaken] = [await keep(sign(5)), await keep(sign(0))]
  resetChains.push(network.chainId)
  node.used = 1
  clock.time += RESEND_PAUSE
  await watching.poll()
  expect(node.sent).toEqual([])
  for (const hash of [forgotten, overtaken]) expect(await of(hash)).toMatchObject({ status: 'pending' })
})
