import { functions } from '@heliograph/shared/evm/functions'
import type { Hex } from '@heliograph/shared/evm/hex'
import { AbiCoder, Interface, solidityPacked } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { readCall } from './call.ts'

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const CONTRACT = '0x1de75C8A5DF8a7FEE3579e1d203136815C2c2100'
const ZERO = `0x${'0'.repeat(40)}`
const CALLER = `0x${'1'.padStart(40, '0')}`
const ROUTER = `0x${'2'.padStart(40, '0')}`
const COINS = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const WORD = `0x${'0'.repeat(64)}`

const read = (signature: string, ...args: unknown[]) => {
  const abi = new Interface([`function ${signature}`])
  const data = abi.encodeFunctionData(signature.slice(0, signature.indexOf('(')), args) as Hex
  const { acts } = readCall({ from: ADDRESS, to: CONTRACT, data })
  expect(acts).not.toContainEqual(expect.objectContaining({ kind: 'call', readable: false }))
  return acts.filter(({ kind }) => kind !== 'call')
}
const gain = (to: string, more: object = {}) => ({ kind: 'gain', by: CONTRACT, to, ...more })
const spends = (amount: string, more: object = {}) => ({
  kind: 'transfer',
  token: TOKEN,
  from: ADDRESS,
  to: CONTRACT,
  amount,
  id: null,
  ...more,
})

test('swaps pay the named recipient', () => {
  expect(read('swapExactETHForTokens(uint256,address[],address,uint256)', 1, [SECOND, TOKEN], SECOND, 9)).toEqual([
    gain(SECOND, { asset: TOKEN }),
  ])
  const old = 'exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))'
  expect(read(old, [TOKEN, SECOND, 1, ADDRESS, 9, 5, 1, 0])).toEqual([spends('5'), gain(ADDRESS, { asset: SECOND })])
  expect(read(old, [TOKEN, SECOND, 1, ZERO, 9, 5, 1, 0])).toEqual([spends('5')])
})

test("SwapRouter02's placeholders are the caller and the router", () => {
  const single = 'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))'
  const swap = (recipient: string) => read(single, [TOKEN, SECOND, 1, recipient, 5, 1, 0])
  expect(swap(CALLER)).toEqual([spends('5'), gain(ADDRESS, { asset: SECOND })])
  expect(swap(ROUTER)).toEqual([spends('5')])
  expect(swap(SECOND)).toEqual([spends('5'), gain(SECOND, { asset: SECOND })])
  // In functions of other contracts, the placeholders are ordinary addresses.
  expect(read('withdraw(address,uint256,address)', TOKEN, 5, CALLER)).toEqual([gain(CALLER, { asset: TOKEN })])
})

test('lending protocols take tokens, and pay the named party', () => {
  expect(read('supply(address,uint256,address,uint16)', TOKEN, 5, ADDRESS, 0)).toEqual([spends('5'), gain(ADDRESS)])
  expect(read('repay(address,uint256,uint256,address)', TOKEN, 2n ** 256n - 1n, 2, ADDRESS)).toEqual([gain(ADDRESS)])
  expect(read('supply(address,uint256)', TOKEN, 5)).toEqual([spends('5')])
  expect(read('supplyFrom(address,address,address,uint256)', SECOND, ADDRESS, TOKEN, 5)).toEqual([
    spends('5', { from: SECOND }),
    gain(ADDRESS),
  ])
  expect(read('withdrawTo(address,address,uint256)', SECOND, TOKEN, 5)).toEqual([gain(SECOND, { asset: TOKEN })])
  expect(read('redeem(uint256,address,address)', 5, SECOND, ADDRESS)).toEqual([gain(SECOND)])
})

test('beneficiaries within structs, integers and words are found', () => {
  const swap = 'swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)'
  expect(read(swap, SECOND, [TOKEN, SECOND, SECOND, ZERO, 5, 1, 0], '0x')).toEqual([spends('5')])
  expect(read(swap, SECOND, [COINS, TOKEN, SECOND, SECOND, 5, 1, 0], '0x')).toEqual([gain(SECOND, { asset: TOKEN })])
  expect(read('unoswapTo(uint256,uint256,uint256,uint256,uint256)', BigInt(SECOND) + 2n ** 170n, 1, 5, 1, 1)).toEqual([
    gain(SECOND),
  ])
  const send = 'send((uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address)'
  const sent = (to: string) => read(send, [1, to, 5, 5, '0x', '0x', '0x'], [1, 0], ADDRESS)
  expect(sent(`0x${SECOND.slice(2).padStart(64, '0')}`)).toEqual([gain(ADDRESS), gain(SECOND)])
  // A recipient on a chain with longer addresses.
  expect(sent(`0x${'ab'.repeat(32)}`)).toEqual([gain(ADDRESS), gain(`0x${'ab'.repeat(32)}`)])
})

test('bridges pay on the chain that they name', () => {
  const deposit =
    'depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)'
  const bridge = (depositor: string, recipient: string) =>
    read(deposit, depositor, recipient, TOKEN, SECOND, 5, 4, 8453, ZERO, 1, 2, 0, '0x')
  expect(bridge(ADDRESS, ADDRESS)).toEqual([spends('5'), gain(ADDRESS, { chainId: 8453 })])
  // The depositor receives refunds.
  expect(bridge(SECOND, ADDRESS)).toContainEqual(gain(SECOND, { chainId: 8453 }))
  expect(read('bridgeETHTo(address,uint32,bytes)', SECOND, 1, '0x')).toEqual([gain(SECOND)])
  expect(read('depositETH(uint32,bytes)', 1, '0x')).toEqual([])
  expect(read('depositEth()')).toEqual([])
  expect(
    read('sendToL2(uint256,address,uint256,uint256,uint256,address,uint256)', 10, SECOND, 5, 1, 1, ZERO, 0),
  ).toEqual([gain(SECOND, { chainId: 10 })])
  const portal = 'depositTransaction(address,uint256,uint64,bool,bytes)'
  expect(read(portal, SECOND, 5, 1, false, '0x')).toEqual([gain(SECOND)])
})

test('names, staking and votes', () => {
  const register = 'register(string,address,uint256,bytes32,address,bytes[],bool,uint16)'
  expect(read(register, 'a', ADDRESS, 1, WORD, SECOND, [], false, 0)).toEqual([gain(ADDRESS)])
  expect(read('requestWithdrawals(uint256[],address)', [5], SECOND)).toEqual([gain(SECOND)])
  for (const [signature, ...args] of [
    ['submit(address)', SECOND],
    ['incrementCounter()'],
    ['delegate(address)', SECOND],
    ['exchange(int128,int128,uint256,uint256)', 1, 2, 5, 4],
  ] as const)
    expect(read(signature, ...args)).toEqual([])
})

const bare = (types: string[], ...values: unknown[]) => AbiCoder.defaultAbiCoder().encode(types, values)
const run = (commands: string, ...inputs: string[]) => read('execute(bytes,bytes[],uint256)', commands, inputs, 1)

test('commands of the Universal Router pay their recipients', () => {
  const swap = ['address', 'uint256', 'uint256', 'bytes', 'bool']
  const path = solidityPacked(['address', 'uint24', 'address'], [TOKEN, 500, SECOND])
  const bought = { asset: SECOND }
  expect(run('0x00', bare(swap, SECOND, 5, 1, path, true))).toEqual([spends('5'), gain(SECOND, bought)])
  expect(run('0x00', bare(swap, CALLER, 5, 1, path, false))).toEqual([gain(ADDRESS, bought)])
  // In an exact-output swap, the packed path is reversed.
  expect(run('0x01', bare(swap, SECOND, 5, 1, path, true))).toEqual([gain(SECOND, { asset: TOKEN })])
  const lists = ['address', 'uint256', 'uint256', 'address[]', 'bool']
  expect(run('0x08', bare(lists, CALLER, 5, 1, [TOKEN, SECOND], true))).toEqual([spends('5'), gain(ADDRESS, bought)])
  expect(run('0x09', bare(lists, CALLER, 5, 1, [TOKEN, SECOND], true))).toEqual([gain(ADDRESS, bought)])
  const unwrap = bare(['address', 'uint256'], SECOND, 1)
  expect(run('0x000c', bare(swap, ROUTER, 5, 1, path, true), unwrap)).toEqual([spends('5'), gain(SECOND)])
  expect(run('0x05', bare(['address', 'address', 'uint256'], ZERO, SECOND, 5))).toEqual([gain(SECOND)])
  expect(run('0x04', bare(['address', 'address', 'uint256'], TOKEN, SECOND, 5))).toEqual([
    gain(SECOND, { asset: TOKEN }),
  ])
})

test('portions that add up to less than a tenth are fees', () => {
  const portion = (bips: number) => bare(['address', 'address', 'uint256'], TOKEN, SECOND, bips)
  expect(run('0x06', portion(25))).toEqual([])
  expect(run('0x06', portion(1000))).toEqual([gain(SECOND, { asset: TOKEN })])
  expect(run('0x0606', portion(900), portion(900))).toHaveLength(2)
})

test('Uniswap V4 actions pay their recipients', () => {
  const take = bare(['address', 'address', 'uint256'], TOKEN, SECOND, 0)
  const actions = bare(['bytes', 'bytes[]'], '0x070c0e', ['0x', bare(['address', 'uint256'], TOKEN, 5), take])
  expect(run('0x10', actions)).toEqual([gain(SECOND, { asset: TOKEN })])
  expect(read('modifyLiquidities(bytes,uint256)', actions, 1)).toEqual([gain(SECOND, { asset: TOKEN })])
  const position = [
    '(address,address,uint24,int24,address)',
    'int24',
    'int24',
    'uint256',
    'uint128',
    'uint128',
    'address',
    'bytes',
  ]
  const mint = bare(position, [TOKEN, SECOND, 1, 1, ZERO], 0, 1, 5, 5, 5, CALLER, '0x')
  expect(read('modifyLiquiditiesWithoutUnlock(bytes,bytes[])', '0x02', [mint])).toEqual([gain(ADDRESS)])
})

test("a position's permit within the router is a permit for an item", () => {
  const permit = new Interface(['function permit(address,uint256,uint256,uint8,bytes32,bytes32)'])
  const data = permit.encodeFunctionData('permit', [SECOND, 7, 9, 0, WORD, WORD])
  expect(run('0x11', data)).toMatchObject([{ kind: 'allow', spender: SECOND, id: '7' }])
})

test('a beneficiary is an address, or an address encoded in another type', () => {
  const types = functions.flatMap(text => [...text.matchAll(/(\w+) beneficiary\b/g)].map(([, type]) => type))
  expect([...new Set(types)].toSorted()).toEqual(['address', 'bytes', 'bytes32', 'uint256'])
})
