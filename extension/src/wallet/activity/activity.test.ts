import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { hashTransaction, signTransaction } from '@heliograph/shared/evm/transaction'
import { expect, test } from 'vitest'
import { memoryStore, observing } from '../storage/store.ts'
import { ADDRESS, NOW, SECOND, SITE } from '../wallet.fixture.ts'
import {
  activityOf,
  createActivity,
  LONGEST_DATA,
  MAX_ACTIVITY_SIZE,
  MAX_OPEN_PER_ACCOUNT,
  MAX_PER_ACCOUNT,
  MAX_RAW_SIZE,
  type Occasion,
} from './activity.ts'

const sign = (nonce: number, data: Hex = '0x', chainId = 1n): Hex =>
  signTransaction(
    { type: 'legacy', chainId, nonce: BigInt(nonce), gas: 21_000n, gasPrice: 7n, to: SECOND, value: 5n, data },
    new Uint8Array(32).fill(1),
  )
const occasion: Occasion = {
  chainId: 1,
  account: ADDRESS,
  key: `${SITE} 1`,
  origin: SITE,
  createdAt: NOW,
  status: 'pending',
}
const record = (nonce: number, changes: Partial<Occasion> = {}) => activityOf(sign(nonce), { ...occasion, ...changes })

test('a record describes the signed transaction and keeps its bytes', () => {
  const raw = sign(3)
  expect(activityOf(raw, occasion)).toMatchObject({
    hash: hashTransaction(raw),
    raw,
    account: ADDRESS,
    nonce: '0x3',
    to: SECOND,
    value: '0x5',
    data: '0x',
    gas: '0x5208',
    price: '0x7',
    purpose: 'transaction',
    status: 'pending',
    sentAt: occasion.createdAt,
  })
  expect(activityOf(sign(3, `0x12345678${'0'.repeat(LONGEST_DATA)}`), occasion).data).toBe('0x12345678')
})

test('records survive a restart, and each change is notified', async () => {
  const store = observing(memoryStore(), new Set())
  const told: string[] = []
  store.observe(() => told.push('change'))
  const activity = createActivity(store)
  const kept = record(1)
  await activity.add([kept])
  await activity.change(kept.hash, { status: 'confirmed', raw: null })
  expect(told).toEqual(['change', 'change'])
  await activity.change(kept.hash, { status: 'pending' })
  expect(told.slice(2)).toEqual(['change'])
  const again = createActivity(store)
  expect(await again.find(kept.hash)).toMatchObject({ status: 'confirmed', raw: null })
  expect(await again.ofKey(kept.key)).toHaveLength(1)
  expect(await again.ofKey('another')).toEqual([])
})

test('the same bytes share one record, which becomes pending when sent, and a settled record is final', async () => {
  const activity = createActivity(memoryStore())
  const signed = record(1, { status: 'signed' })
  const statusAfter = async (status: Occasion['status']) => {
    await activity.add([record(1, { status })])
    expect(await activity.list()).toHaveLength(1)
    return (await activity.find(signed.hash))?.status
  }
  await activity.add([signed])
  expect(await statusAfter('pending')).toBe('pending')
  expect(await statusAfter('signed')).toBe('pending')
  await activity.change(signed.hash, {
    status: 'dropped',
    failure: { name: 'discarded', reason: null },
    settledAt: NOW,
  })
  expect(await statusAfter('signed')).toBe('signed')
  expect(await activity.find(signed.hash)).toMatchObject({ failure: null, settledAt: null })
  await activity.change(signed.hash, { status: 'replaced', raw: null })
  expect(await statusAfter('pending')).toBe('replaced')
  await activity.add([record(1, { key: `${SITE} another` })])
  expect(await activity.list()).toMatchObject([{ status: 'pending', key: `${SITE} another` }])
})

test("an account's oldest settled record on a network makes room, but never a record that occupies a nonce", async () => {
  const activity = createActivity(memoryStore())
  await activity.add([record(0, { account: SECOND })])
  const open = record(1)
  await activity.add([open])
  for (let nonce = 2; nonce <= MAX_PER_ACCOUNT; nonce++) {
    const next = record(nonce)
    await activity.add([next])
    await activity.change(next.hash, { status: 'confirmed', raw: null })
  }
  await activity.add([record(MAX_PER_ACCOUNT + 1)])
  const nonces = (await activity.list()).map(({ nonce }) => Number(nonce))
  expect(nonces).toHaveLength(MAX_PER_ACCOUNT + 1)
  expect(nonces.slice(0, 3)).toEqual([0, 1, 3])
})

test('the bytes of dropped transactions are deleted to make room for transactions that may still be sent', async () => {
  const activity = createActivity(memoryStore())
  const large = (nonce: number) =>
    activityOf(sign(nonce, `0x${'00'.repeat(MAX_RAW_SIZE / 5)}`, 2n), { ...occasion, chainId: 2 })
  const [first, second, third] = [large(0), large(1), large(2)]
  await activity.add([first, second])
  await expect(activity.add([third])).rejects.toMatchObject({ code: -32005 })
  await activity.change(first.hash, { status: 'dropped' })
  await activity.add([third])
  const bytes = (await activity.list()).map(({ hash, raw }) => [hash, raw !== null])
  expect(bytes).toEqual([
    [first.hash, false],
    [second.hash, true],
    [third.hash, true],
  ])
})

test('the number per account and the total size of open transactions are limited, and stored ones are never lost', async () => {
  const activity = createActivity(memoryStore())
  const all = Array.from({ length: MAX_OPEN_PER_ACCOUNT }, (_, nonce) => record(nonce))
  await activity.add(all)
  await expect(activity.add([record(99)])).rejects.toMatchObject({ code: -32005 })
  await activity.add([record(99, { account: SECOND })])
  const huge = activityOf(sign(7, `0x${'00'.repeat(MAX_RAW_SIZE / 2)}`, 2n), { ...occasion, chainId: 2 })
  await expect(activity.add([huge])).rejects.toMatchObject({ code: -32005 })
  expect(await activity.list()).toHaveLength(MAX_OPEN_PER_ACCOUNT + 1)
})

test("the total size of records is limited, and any account's oldest settled records make room", async () => {
  const store = memoryStore()
  const activity = createActivity(store)
  const data: Hex = `0x12345678${'0'.repeat(LONGEST_DATA - 10)}`
  const { hash, ...settled } = { ...activityOf(sign(0, data), occasion), status: 'confirmed', raw: null }
  const count = Math.ceil(MAX_ACTIVITY_SIZE / LONGEST_DATA)
  const full = Array.from({ length: count }, (_, at) => ({
    ...settled,
    hash: encodeQuantity(at + 1),
    chainId: 10 + at,
  }))
  await store.set('activity', [record(1), ...full])
  await activity.add([record(2)])
  const kept = await activity.list()
  expect(JSON.stringify(kept).length).toBeLessThan(MAX_ACTIVITY_SIZE)
  expect(kept.length).toBeGreaterThan(count / 2)
  expect([kept[0]?.nonce, kept.at(-1)?.nonce]).toEqual(['0x1', '0x2'])
  expect(kept.at(-2)?.chainId).toBe(10 + count - 1)
})

test('forget deletes all records of a network', async () => {
  const activity = createActivity(memoryStore())
  await activity.add([record(1), activityOf(sign(1, '0x', 5n), { ...occasion, chainId: 5 })])
  await activity.forget(1)
  expect((await activity.list()).map(({ chainId, nonce }) => [chainId, nonce])).toEqual([[5, encodeQuantity(1)]])
})
