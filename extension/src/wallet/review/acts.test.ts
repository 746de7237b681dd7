import type { Hex } from '@heliograph/shared/evm/hex'
import { Interface, MaxUint256 } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { findingsOfActs } from './act-findings.ts'
import { readCall } from './call.ts'

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const read = (text: string, ...args: unknown[]) => {
  const abi = new Interface([`function ${text}`])
  const [fragment] = abi.fragments
  const data = abi.encodeFunctionData(fragment?.format() ?? '', args) as Hex
  return readCall({ from: ADDRESS, to: TOKEN, data })
}
const names = (...call: Parameters<typeof read>) =>
  findingsOfActs(read(...call).acts, []).map(({ level, name }) => `${level} ${name}`)

test('transfers have a sender, a recipient and an amount', () => {
  const transfer = { kind: 'transfer', token: TOKEN, from: ADDRESS, to: SECOND, amount: '5', id: null }
  expect(read('transfer(address to, uint256 value)', SECOND, 5).acts).toEqual([transfer])
  expect(read('transferFrom(address from, address to, uint256 value)', SECOND, ADDRESS, 5).acts).toEqual([
    { ...transfer, from: SECOND, to: ADDRESS },
  ])
  expect(read('safeTransferFrom(address from, address to, uint256 tokenId)', ADDRESS, SECOND, 7).acts).toEqual([
    { ...transfer, amount: '1', id: '7' },
  ])
  expect(
    read(
      'safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
      ADDRESS,
      SECOND,
      7,
      5,
      '0x',
    ).acts,
  ).toEqual([{ ...transfer, id: '7' }])
  expect(
    read(
      'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
      ADDRESS,
      SECOND,
      [7, 8],
      [5, 6],
      '0x',
    ).acts,
  ).toEqual([
    { ...transfer, id: '7' },
    { ...transfer, id: '8', amount: '6' },
  ])
  expect(
    read('transferFrom((address from, address to, uint160 value, address token)[] transferDetails)', [
      [ADDRESS, SECOND, 5, SECOND],
    ]).acts,
  ).toEqual([{ ...transfer, token: SECOND }])
})

test('allowances have a spender, an amount and an expiry', () => {
  const allow = { kind: 'allow', token: TOKEN, spender: SECOND, amount: '5', until: null, adds: false }
  expect(read('approve(address spender, uint256 value)', SECOND, 5).acts).toEqual([allow])
  expect(read('approve(address spender, uint256 value)', SECOND, MaxUint256).acts).toEqual([
    { ...allow, amount: null, asked: String(MaxUint256) },
  ])
  expect(read('increaseAllowance(address spender, uint256 value)', SECOND, 5).acts).toEqual([{ ...allow, adds: true }])
  expect(
    read('approve(address token, address spender, uint160 value, uint48 expiration)', ADDRESS, SECOND, 5, 99).acts,
  ).toEqual([{ ...allow, token: ADDRESS, until: '99' }])
  const permit2 =
    'permit(address owner, ((address token, uint160 value, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)'
  expect(read(permit2, ADDRESS, [[[ADDRESS, 5, 99, 0]], SECOND, 1], '0x').acts).toEqual([
    { ...allow, token: ADDRESS, until: '99' },
  ])
  expect(read('setApprovalForAll(address operator, bool approved)', SECOND, false).acts).toEqual([
    { kind: 'allowAll', token: TOKEN, spender: SECOND, allowed: false },
  ])
})

test('nested calls are read, and unknown calls have no acts', () => {
  const inner = new Interface(['function transfer(address to, uint256 value)']).encodeFunctionData('transfer', [
    SECOND,
    5,
  ])
  expect(read('multicall(bytes[] data)', [inner, inner]).acts).toHaveLength(2)
  expect(read('deposit()').acts).toEqual([])
})

test('tokens sent to their own contract are a danger', () => {
  expect(names('transfer(address to, uint256 value)', TOKEN, 5)).toEqual(['danger sentToToken'])
  expect(names('transferFrom(address from, address to, uint256 value)', ADDRESS, TOKEN, 5)).toEqual([
    'danger sentToToken',
  ])
  expect(names('transfer(address to, uint256 value)', SECOND, 5)).toEqual([])
})
