import type { Hex } from '@heliograph/shared/evm/hex'
import { AbiCoder, Interface, MaxUint256, solidityPacked } from 'ethers'
import { expect, test } from 'vitest'
import type { Act } from '../../messages.ts'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { readCall } from './call.ts'

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const TARGET = '0x1de75C8A5DF8a7FEE3579e1d203136815C2c2100'
const ZERO = `0x${'0'.repeat(40)}`

const encode = (signature: string, ...args: unknown[]): Hex => {
  const abi = new Interface([`function ${signature}`])
  return abi.encodeFunctionData(signature.slice(0, signature.indexOf('(')), args) as Hex
}
const bare = (types: string[], ...values: unknown[]) => AbiCoder.defaultAbiCoder().encode(types, values)
const noteOf = (act: Act): string[] => {
  if (act.kind === 'allow' && act.amount === null) return ['unlimited']
  if (act.kind === 'control' && act.right === 'code') return ['code']
  return act.kind === 'call' && !act.readable ? ['unreadable'] : []
}

/** Returns the acts except calls, and everything else that a review must not miss. */
const read = (data: Hex) => {
  const { acts, payments, findings } = readCall({ from: ADDRESS, to: TARGET, data })
  return {
    acts: acts.filter(({ kind }) => kind !== 'call'),
    payments: payments.map(({ from, to, value }) => ({ from, to, value })),
    notes: [
      ...acts.flatMap(noteOf),
      ...payments.map(() => 'pays'),
      ...findings.map(({ level, name }) => `${level} ${name}`),
    ],
  }
}

const approve = encode('approve(address,uint256)', SECOND, MaxUint256)
const transfer = encode('transfer(address,uint256)', SECOND, 5)
const call = [TOKEN, 0, approve]
const OPERATION = `(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)`
const operation = (callData: string, initCode = '0x') => {
  const word = `0x${'00'.repeat(32)}`
  return [TARGET, 0, initCode, callData, word, 0, word, '0x', '0x']
}
const mode = (start: string) => start.padEnd(66, '0')
const sent = (code: number, data: string, value = 0, target = TOKEN) =>
  solidityPacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [code, target, value, (data.length - 2) / 2, data],
  ).slice(2)
const executed = (data: string): Hex => encode('execute(address,uint256,bytes)', TOKEN, 0, data)

/** Calls that can contain a token approval. */
const carrying: Readonly<Record<string, Hex>> = {
  aggregate: encode('aggregate((address,bytes)[])', [[TOKEN, approve]]),
  tryAggregate: encode('tryAggregate(bool,(address,bytes)[])', true, [[TOKEN, approve]]),
  blockAndAggregate: encode('blockAndAggregate((address,bytes)[])', [[TOKEN, approve]]),
  tryBlockAndAggregate: encode('tryBlockAndAggregate(bool,(address,bytes)[])', true, [[TOKEN, approve]]),
  aggregate3: encode('aggregate3((address,bool,bytes)[])', [[TOKEN, false, approve]]),
  aggregate3Value: encode('aggregate3Value((address,bool,uint256,bytes)[])', [[TOKEN, false, 0, approve]]),
  execTransaction: encode(
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    ...[...call, 0, 0, 0, 0, ZERO, ZERO, '0x'],
  ),
  module: encode('execTransactionFromModule(address,uint256,bytes,uint8)', ...call, 0),
  multiSend: encode('multiSend(bytes)', `0x${sent(0, '0x')}${sent(0, approve)}`),
  execute: executed(approve),
  executeBatch: encode('executeBatch((address,uint256,bytes)[])', [call]),
  executeBatchLists: encode('executeBatch(address[],uint256[],bytes[])', [TOKEN], [0], [approve]),
  executeBatchTwoLists: encode('executeBatch(address[],bytes[])', [TOKEN], [approve]),
  executeCalls: encode('execute((address,uint256,bytes)[])', [call]),
  erc725: encode('execute(uint256,address,uint256,bytes)', 0, ...call),
  single: encode(
    'execute(bytes32,bytes)',
    mode('0x00'),
    solidityPacked(['address', 'uint256', 'bytes'], [TOKEN, 0, approve]),
  ),
  batch: encode('execute(bytes32,bytes)', mode('0x01'), bare(['(address,uint256,bytes)[]'], [call])),
  batchWithData: encode(
    'execute(bytes32,bytes)',
    mode('0x01000000000078210001'),
    bare(['(address,uint256,bytes)[]', 'bytes'], [call], '0xab'),
  ),
  batches: encode(
    'execute(bytes32,bytes)',
    mode('0x01000000000078210002'),
    bare(['bytes[]'], [bare(['(address,uint256,bytes)[]'], [call])]),
  ),
  executor: encode('executeFromExecutor(bytes32,bytes)', mode('0x01'), bare(['(address,uint256,bytes)[]'], [call])),
  handleOps: encode(`handleOps(${OPERATION}[],address)`, [operation(executed(approve))], SECOND),
  executeUserOp: encode(
    `handleOps(${OPERATION}[],address)`,
    [operation(`0x8dd7712f${executed(approve).slice(2)}`)],
    SECOND,
  ),
  oldHandleOps: encode(
    'handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)',
    [[TARGET, 0, '0x', executed(approve), 0, 0, 0, 0, 0, '0x', '0x']],
    SECOND,
  ),
  forward: encode(
    'execute((address,address,uint256,uint256,uint256,bytes),bytes)',
    [ADDRESS, TOKEN, 0, 1, 1, approve],
    '0x',
  ),
  forwardBatch: encode(
    'executeBatch((address,address,uint256,uint256,uint48,bytes,bytes)[],address)',
    [[ADDRESS, TOKEN, 0, 1, 1, approve, '0x']],
    ZERO,
  ),
  connector: encode('batch((address,address,uint256,bytes)[])', [[TOKEN, ADDRESS, 0, approve]]),
  boring: encode('batch(bytes[],bool)', [encode('multicall(bytes32,bytes[])', mode('0x'), [executed(approve)])], true),
}

test.each(Object.entries(carrying))('%s shows its nested calls', (_, data) => {
  expect(read(data).acts.filter(({ kind }) => kind !== 'gain')).toEqual([
    expect.objectContaining({ kind: 'allow', token: TOKEN, spender: SECOND, amount: null }),
  ])
  expect(read(data).notes).toContain('unlimited')
})

test.each(Object.entries(carrying))('%s in a batch does not hide other calls, in either order', (_, data) => {
  for (const list of [
    [data, transfer],
    [transfer, data],
  ])
    expect(read(encode('multicall(bytes[])', list)).notes).toContain('unlimited')
})

test("a nested call's account is the contract that makes it", () => {
  const nested = encode('aggregate((address,bytes)[])', [[TOKEN, transfer]])
  expect(read(nested).acts).toMatchObject([{ kind: 'transfer', from: TARGET, to: SECOND }])
  const forwarded = encode('batch((address,address,uint256,bytes)[])', [[TOKEN, ADDRESS, 0, transfer]])
  expect(read(forwarded).acts).toMatchObject([{ from: ADDRESS }])
  // The account treats the zero address as itself.
  const own = encode('execute((address,uint256,bytes)[])', [[ZERO, 0, executed(transfer)]])
  expect(read(own).acts).toMatchObject([{ token: TOKEN, from: TARGET }])
})

test('a delegatecall is a danger with any data', () => {
  for (const data of [
    encode('execTransactionFromModule(address,uint256,bytes,uint8)', TOKEN, 0, '0x', 1),
    encode('multiSend(bytes)', `0x${sent(1, '0xdeadbeef')}`),
    encode('execute(address,bytes)', TOKEN, '0x'),
    encode('execute(uint256,address,uint256,bytes)', 4, TOKEN, 0, '0x'),
    encode('execute(bytes32,bytes)', mode('0xff'), solidityPacked(['address', 'bytes'], [TOKEN, '0x'])),
  ])
    expect(read(data).notes).toContain('code')
  const inner = encode('multiSend(bytes)', `0x${sent(0, approve)}`)
  expect(read(encode('execTransactionFromModule(address,uint256,bytes,uint8)', SECOND, 0, inner, 1)).notes).toEqual([
    'code',
    'unlimited',
  ])
})

test('coins that a nested call pays are reported', () => {
  expect(read(encode('execute(address,uint256,bytes)', SECOND, 7, '0x')).notes).toEqual(['pays'])
  expect(read(encode('multiSend(bytes)', `0x${sent(0, '0x', 7)}`)).notes).toEqual(['pays'])
  expect(read(executed('0x')).notes).toEqual([])
})

test('an unreadable call has the same level whether nested or not', () => {
  expect(read(executed('0xdeadbeef')).notes).toEqual(['unreadable'])
  expect(read(executed(`${approve}00`)).notes).toEqual(['unlimited', 'caution unusualEncoding'])
  for (const data of [
    encode('multiSend(bytes)', `0x${sent(0, approve).slice(0, -2)}`),
    encode('execute(bytes32,bytes)', mode('0x01'), `0x${'ff'.repeat(64)}`),
    encode('execute(bytes32,bytes)', mode('0x00'), '0xab'),
  ])
    expect(read(data).notes).toContain('danger malformedCall')
  expect(read(encode('execute(bytes32,bytes)', mode('0x07'), `0x${'ab'.repeat(60)}`)).notes).toEqual(['unreadable'])
  expect(read(encode(`handleOps(${OPERATION}[],address)`, [operation('0x', '0xab')], SECOND)).notes).toEqual([
    'unreadable',
  ])
})

test("the Universal Router's Permit2 commands are read, even in sub-plans, and others are unknown", () => {
  const permit = bare(
    ['((address,uint160,uint48,uint48),address,uint256)', 'bytes'],
    [[TOKEN, 2n ** 160n - 1n, 99, 0], SECOND, 1],
    '0xab',
  )
  const move = bare(['address', 'address', 'uint160'], TOKEN, `0x${'1'.padStart(40, '0')}`, 5)
  const plan = (commands: string, inputs: string[]) => bare(['bytes', 'bytes[]'], commands, inputs)
  const run = (commands: string, inputs: string[]) =>
    read(encode('execute(bytes,bytes[],uint256)', commands, inputs, 1))
  expect(run('0x0a02', [permit, move])).toMatchObject({
    acts: [
      expect.objectContaining({ kind: 'allow', token: TOKEN, spender: SECOND, amount: null, until: '99' }),
      { kind: 'transfer', token: TOKEN, from: ADDRESS, to: ADDRESS, amount: '5', id: null },
    ],
    notes: ['unlimited'],
  })
  expect(run('0x8a', [permit]).notes).toEqual(['unlimited'])
  expect(run('0x07', ['0x']).notes).toEqual(['unreadable'])
  expect(run('0x0721', ['0x', plan('0x0a', [permit])]).notes).toEqual(['unreadable', 'unlimited'])
})

const refunding = (baseGas: bigint, gasPrice: bigint, gasToken: string, receiver: string) =>
  read(
    encode(
      'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
      ...[TOKEN, 0, transfer, 0, 0, baseGas, gasPrice, gasToken, receiver, '0x'],
    ),
  )

test("a Safe's refund is a payment or a transfer by the Safe", () => {
  const amount = String((10n ** 12n + 100_000n) * 10n ** 9n)
  expect(refunding(10n ** 12n, 10n ** 9n, ZERO, SECOND).payments).toEqual([{ from: TARGET, to: SECOND, value: amount }])
  // If no receiver is named, the executor gets the refund.
  expect(refunding(10n ** 12n, 10n ** 9n, ZERO, ZERO).payments).toMatchObject([{ to: ADDRESS }])
  expect(refunding(10n ** 12n, 0n, ZERO, SECOND).payments).toEqual([])
  const inTokens = refunding(10n ** 12n, 10n ** 9n, TOKEN, SECOND)
  expect(inTokens.payments).toEqual([])
  expect(inTokens.acts).toContainEqual({ kind: 'transfer', token: TOKEN, from: TARGET, to: SECOND, amount, id: null })
  expect(refunding(2n ** 255n, 2n ** 255n, ZERO, SECOND).payments).toMatchObject([{ value: String(2n ** 256n - 1n) }])
})

test('modules of smart accounts make calls and delegatecalls', () => {
  const operation = (kind: number) => encode('executeUserOp(address,uint256,bytes,uint8)', TOKEN, 0, approve, kind)
  expect(read(operation(0)).notes).toEqual(['unlimited'])
  expect(read(operation(1)).notes).toEqual(['code', 'unlimited'])
  expect(read(encode('execute(address,uint256,bytes,uint8)', TOKEN, 0, approve, 1)).notes).toContain('code')
})

test('an order of which only a hash is known is unreadable, but its revocation is readable', () => {
  expect(read(encode('setPreSignature(bytes,bool)', '0xab', true)).notes).toEqual(['unreadable'])
  expect(read(encode('setPreSignature(bytes,bool)', '0xab', false)).notes).toEqual([])
})

test('an AllowanceHolder spender may take tokens during the call', () => {
  const data = encode('exec(address,address,uint256,address,bytes)', SECOND, TOKEN, 5, TARGET, transfer)
  expect(read(data).acts).toMatchObject([
    { kind: 'transfer', token: TARGET, from: ADDRESS },
    { kind: 'allow', token: TOKEN, spender: SECOND, amount: '5' },
  ])
})

test('all kinds of calls are read at most 16 levels deep', () => {
  const wrap = [executed, (data: Hex) => encode('aggregate((address,bytes)[])', [[TOKEN, data]])]
  const nested = (levels: number) => {
    let data = approve
    for (let level = 0; level < levels; level++) data = wrap[level % wrap.length]?.(data) ?? data
    return read(data).notes
  }
  expect(nested(16)).toEqual(['unlimited'])
  expect(nested(17)).toEqual(['danger nestedTooDeep'])
})
