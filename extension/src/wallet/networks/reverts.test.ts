import { AbiCoder, concat, id } from 'ethers'
import { expect, test } from 'vitest'
import { nodeError } from './answers.ts'
import { refusal, unreachable } from './node.fixture.ts'
import { failingCall, LONGEST_REASON, reasonOf, revertReason } from './reverts.ts'

const encode = (signature: string, types: string[], values: unknown[]) =>
  concat([id(signature).slice(0, 10), AbiCoder.defaultAbiCoder().encode(types, values)])
const words = (reason: string) => encode('Error(string)', ['string'], [reason])
const panic = (code: number) => encode('Panic(uint256)', ['uint256'], [code])

test("a contract's reason is shown unchanged, up to the maximum length", () => {
  expect(revertReason(words('not \u202e yours'))).toBe('not \u202e yours')
  expect(revertReason(words('x'.repeat(5_000)))).toHaveLength(LONGEST_REASON)
})

test('panic codes are named, and custom errors shown by their selector', () => {
  expect(revertReason(panic(0x11))).toEqual({ reason: 'panicOverflow', values: {} })
  expect(revertReason(panic(0x99))).toBe('Panic(153)')
  expect(revertReason(encode('Paused(address)', ['address'], [`0x${'11'.repeat(20)}`]))).toBe(
    id('Paused(address)').slice(0, 10),
  )
})

test('empty data has no reason, and malformed data is shown by its selector', () => {
  for (const data of ['0x', '0x1234', undefined, null, 'reverted', { data: '0x12345678' }])
    expect(revertReason(data)).toBeNull()
  expect(revertReason(words('no').slice(0, -64))).toBe('0x08c379a0')
})

test("the reason of a batch is the failing call's", () => {
  const batch = (at: number, data: string) => encode('ExecuteError(uint256,bytes)', ['uint256', 'bytes'], [at, data])
  expect(failingCall(batch(2, words('too late')))).toEqual({ at: 2, data: words('too late') })
  expect(revertReason(batch(2, words('too late')))).toBe('too late')
  expect(revertReason(batch(0, panic(0x11)))).toEqual({ reason: 'panicOverflow', values: {} })
  const selector = id('ExecuteError(uint256,bytes)').slice(0, 10)
  expect(revertReason(batch(1, '0x'))).toBe(selector)
  expect(revertReason(batch(1, '0x').slice(0, -64))).toBe(selector)
  for (const other of [words('no'), batch(1, '0x').slice(0, -64), '0x', null]) expect(failingCall(other)).toBeNull()
})

test("the contract's reason takes precedence over the node's message, and an unreachable node has none", () => {
  expect(reasonOf(nodeError({ code: 3, message: 'execution reverted', data: words('too late') }))).toBe('too late')
  expect(reasonOf(nodeError({ code: -32000, message: 'reverted', data: { data: words('too late') } }))).toBe('too late')
  const old = nodeError({ code: -32015, message: 'VM execution error.', data: `Reverted ${words('too late')}` })
  expect(reasonOf(old)).toBe('too late')
  const limit = { code: -32000, message: 'VM Exception: quota exceeded' }
  expect(reasonOf(nodeError({ ...limit, data: words('quota exceeded') }))).toBe('quota exceeded')
  expect(reasonOf(nodeError(limit))).toBeUndefined()
  expect(reasonOf(refusal('invalidInput', 'insufficient funds'))).toBe('insufficient funds')
  expect(reasonOf(unreachable())).toBeUndefined()
  expect(reasonOf(new TypeError('x'))).toBeUndefined()
})
