import { cpuTimeOf } from '@heliograph/shared/cpu-time.fixture'
import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { Interface, MaxUint256 } from 'ethers'
import { expect, test } from 'vitest'
import type { RevertView } from '../../messages.ts'
import type { Filled } from '../fees/filled.ts'
import { ADDRESS, SECOND, USUAL_PRICE } from '../wallet.fixture.ts'
import { judged } from './judge.fixture.ts'
import { reviewTransaction } from './transaction.ts'

const abi = new Interface([
  'function transfer(address to, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function increaseAllowance(address spender, uint256 value)',
  'function increaseApproval(address spender, uint256 value)',
  'function setApprovalForAll(address operator, bool approved)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)',
  'function approve(address token, address spender, uint160 value, uint48 expiration)',
  'function permit(address owner, ((address token, uint160 value, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)',
  'function permit(address owner, ((address token, uint160 value, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)',
  'function multicall(bytes[] data)',
])
const encode = (name: string, ...args: unknown[]) => abi.encodeFunctionData(name, args) as Hex
const signatures = {
  permit: 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  daiPermit: 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
  permit2: 'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
  permit2Batch: 'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
  permit2Approve: 'approve(address,address,uint160,uint48)',
}
const approve = (value: bigint) => encode('approve(address,uint256)', SECOND, value)

const SPENDER = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
const price = '0x1'
const review = (
  data: Hex,
  to: Hex | null = SECOND,
  failure: RevertView | null = null,
  needed: bigint | null = null,
  value: Hex = '0x0',
) =>
  reviewTransaction(
    {
      transaction: {
        type: '0x0',
        gasPrice: price,
        gas: '0x2',
        from: ADDRESS,
        chainId: '0x1',
        value,
        data,
        ...(to && { to }),
      },
      expected: 1n,
      balance: 10n,
      needed,
      failure,
      ...USUAL_PRICE,
    },
    'send',
  )
/** Records that list only one token, so its own functions are readable. */
const LISTED = { known: { assets: [{ address: SECOND, symbol: 'ORE' }] } }
/** Returns the findings about the transaction itself, then about its acts. */
const found = (data: Hex, to?: Hex | null) => {
  const { effect, findings } = review(data, to)
  return [...findings.map(({ level, name }) => `${level} ${name}`), ...judged(effect, LISTED)]
}

const WORD = '0'.repeat(64)
const DETAILS = { token: SECOND, expiration: 1, nonce: 0 }
const MAX_UINT160 = (1n << 160n) - 1n

test('a plain transfer has no findings', () => {
  expect(found('0x')).toEqual([])
  expect(review('0x').effect).toEqual({
    kind: 'transaction',
    broadcast: true,
    to: SECOND,
    value: '0x0',
    data: '0x',
    nonce: null,
    call: null,
    acts: [],
    tokens: [],
    limit: null,
    fee: { used: '0x2', gas: '0x2', expected: '0x2', atMost: '0x2' },
    fees: { gasPrice: '0x1' },
  })
})

test('a known call is shown with its arguments', () => {
  expect(review(encode('transfer', ADDRESS, 5)).effect).toMatchObject({
    call: {
      name: 'transfer',
      signature: 'transfer(address,uint256)',
      args: [
        { name: 'to', type: 'address', value: ADDRESS },
        { name: 'value', type: 'uint256', value: '5' },
      ],
    },
  })
  expect(found(encode('transfer', ADDRESS, MaxUint256))).toEqual([])
})

test('coins sent along with a token call are found', () => {
  const called = (data: Hex, value: Hex) => review(data, SECOND, null, null, value).findings
  const found = { level: 'caution', name: 'coinsToToken', values: [SECOND] }
  for (const data of [encode('transfer', ADDRESS, 5), approve(5n), encode('setApprovalForAll', SECOND, false)]) {
    expect(called(data, '0x1')).toContainEqual(found)
    expect(called(data, '0x0')).toEqual([])
  }
  expect(called('0x', '0x1')).toEqual([])
  expect(called(encode('multicall', [approve(5n)]), '0x1')).toEqual([])
})

test('an unlimited allowance is a danger in every form', () => {
  const [r, s] = [`0x${WORD}`, `0x${WORD}`]
  const unlimited = [
    approve(MaxUint256),
    approve(1n << 128n),
    encode('increaseAllowance', SECOND, MaxUint256),
    encode('increaseApproval', SECOND, MaxUint256),
    encode(signatures.permit, ADDRESS, SECOND, MaxUint256, 1, 27, r, s),
    encode(signatures.daiPermit, ADDRESS, SECOND, 0, 1, true, 27, r, s),
    encode(signatures.permit2Approve, SECOND, SPENDER, MAX_UINT160, 1),
    encode(signatures.permit2, ADDRESS, [{ ...DETAILS, value: MAX_UINT160 }, SECOND, 1], '0x'),
    encode(
      signatures.permit2Batch,
      ADDRESS,
      [
        [
          { ...DETAILS, value: 1n },
          { ...DETAILS, value: MAX_UINT160 },
        ],
        SECOND,
        1,
      ],
      '0x',
    ),
  ]
  for (const data of unlimited) expect(found(data)).toContain('danger unlimitedAllowance')
})

test('a limited allowance is a caution, and a revocation has no finding', () => {
  const [r, s] = [`0x${WORD}`, `0x${WORD}`]
  const limited = [
    approve((1n << 96n) - 1n),
    encode(signatures.permit, ADDRESS, SECOND, 5, MaxUint256, 27, r, s),
    encode(signatures.permit2Approve, SECOND, SPENDER, (1n << 96n) - 1n, 1),
    encode(signatures.permit2, ADDRESS, [{ ...DETAILS, value: 5n }, SECOND, MaxUint256], '0x'),
  ]
  for (const data of limited) expect(found(data)).toEqual(['caution unknownSpender'])
  const revoked = encode(signatures.daiPermit, ADDRESS, SECOND, MaxUint256, MaxUint256, false, 27, r, s)
  for (const data of [approve(0n), revoked]) expect(found(data)).toEqual([])
})

test('approval for all is a danger, its revocation is not', () => {
  expect(found(encode('setApprovalForAll', SECOND, true))).toEqual(['danger approvalForAll'])
  expect(found(encode('setApprovalForAll', SECOND, false))).toEqual([])
})

test('nested calls are read, and each finding appears once', () => {
  const inner = [approve(MaxUint256), approve(MaxUint256), encode('setApprovalForAll', SECOND, true), '0x12345678']
  const all = ['danger unlimitedAllowance', 'danger approvalForAll', 'caution unknownCall']
  expect(found(encode('multicall', inner))).toEqual(all)
  expect(found(encode('multicall', [encode('multicall', inner)]))).toEqual(all)
  expect(found(encode('multicall', [encode('transfer', ADDRESS, 1)]))).toEqual([])
})

test('calls are read 16 levels deep, and deeper ones are a danger without being read', () => {
  const nested = (levels: number) => {
    let data = approve(MaxUint256)
    for (let level = 0; level < levels; level++) data = encode('multicall', [data])
    return data
  }
  expect(found(nested(16))).toEqual(['danger unlimitedAllowance'])
  for (const levels of [17, 200]) expect(found(nested(levels))).toContain('danger nestedTooDeep')
})

/** Replaces the bytes at position `at`. A negative position counts from the end. */
const changed = (data: Hex, at: number, bytes: string): Hex => {
  const from = at < 0 ? data.length + 2 * at : 2 + 2 * at
  return `0x${data.slice(2, from)}${bytes}${data.slice(from + bytes.length)}`
}

test('an unusual encoding is reported, and does not hide any part of the call', () => {
  const approveAll = encode('setApprovalForAll', SECOND, true)
  const [unlimited, all] = ['danger unlimitedAllowance', 'danger approvalForAll']
  const cases: [Hex, string][] = [
    [`${approve(MaxUint256)}00`, unlimited],
    [`${approve(MaxUint256)}${'ff'.repeat(1000)}`, unlimited],
    [changed(approve(MaxUint256), 4, 'ff'.repeat(12)), unlimited],
    [approve(2n ** 255n).slice(0, -62) as Hex, unlimited],
    [`${approveAll}00`, all],
    [changed(approveAll, -1, '02'), all],
    [changed(approveAll, -32, '80'), all],
    [changed(approveAll, 4, 'ff'), all],
    [encode('multicall', [`${approve(MaxUint256)}00`]), unlimited],
    [`${encode('multicall', [approve(MaxUint256)])}00`, unlimited],
  ]
  for (const [data, danger] of cases) {
    const { effect } = review(data)
    expect(found(data), data).toEqual(['caution unusualEncoding', danger])
    expect(effect.acts.filter(({ kind }) => kind !== 'call')).toMatchObject([{ spender: SECOND }])
    expect(effect.data).toBe(data)
  }
})

test('a malformed call of a known function is a danger, alone and nested', () => {
  const outside = changed(encode('multicall', []), 4, 'ff'.repeat(32))
  for (const data of [outside, encode('multicall', [outside])])
    expect(review(data).findings).toMatchObject([{ level: 'danger', name: 'malformedCall' }])
})

test('many calls that share the same bytes are rejected quickly', () => {
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const multicall = encode('multicall', []).slice(0, 10)
  /** Creates a multicall of `count` calls that all point to the same bytes. */
  const sharing = (inner: Hex, count: number): Hex => {
    const offsets = word(32 * count).repeat(count)
    return `${multicall}${word(32)}${word(count)}${offsets}${word(inner.length / 2 - 1)}${inner.slice(2)}` as Hex
  }
  const unlimited = sharing(approve(MaxUint256), 500)
  const bombs = [sharing(unlimited, 500), sharing(sharing(unlimited, 50), 50)]
  expect(found(unlimited)).toEqual(['caution unusualEncoding', 'danger unlimitedAllowance'])
  const time = cpuTimeOf(() => {
    for (const bomb of bombs)
      expect(review(bomb).findings).toContainEqual(expect.objectContaining({ level: 'danger', name: 'malformedCall' }))
  })
  expect(time).toBeLessThan(10_000)
})

test('an unknown function is reported, even without a full selector', () => {
  for (const data of ['0x12345678', '0x12', '0xffffffff'] as const) expect(found(data)).toEqual(['caution unknownCall'])
})

test('data without a recipient creates a contract, whatever it contains', () => {
  expect(found(approve(MaxUint256), null)).toEqual(['caution createsContract'])
  expect(review('0x6001', null).effect).toMatchObject({ to: null, call: null })
})

test("the node's failure reason is quoted, short and on one line", () => {
  const failing = (reason: string) => review('0x', SECOND, reason).findings[0]
  expect(failing('execution reverted')).toEqual({
    level: 'caution',
    name: 'likelyToFail',
    values: ['"execution reverted"'],
  })
  const long = failing(`no\n\nNo warnings${'!'.repeat(5000)}`)
  expect(long?.values[0]).not.toContain('\n')
  expect(long?.values[0]?.length).toBeLessThan(100)
})

test('a panic is named by its reason', () => {
  const failure = { reason: 'panicIndex', values: {} }
  expect(review('0x', SECOND, failure).findings).toMatchObject([{ name: 'likelyToFail', values: ['', 'panicIndex'] }])
})

test('if value and maximum fee exceed the balance, sending is blocked but signing is not', () => {
  const funded = (balance: bigint, purpose: 'sign' | 'send') =>
    reviewTransaction(
      {
        transaction: {
          type: '0x0',
          gasPrice: '0x1',
          gas: '0x2',
          from: ADDRESS,
          to: SECOND,
          chainId: '0x1',
          value: '0x5',
          data: '0x',
        },
        expected: 1n,
        balance,
        needed: null,
        failure: null,
        ...USUAL_PRICE,
      },
      purpose,
    ).findings
  expect(funded(7n, 'send')).toEqual([])
  expect(funded(6n, 'send')).toEqual([{ level: 'blocked', name: 'insufficientFunds', values: ['7', '6', '1'] }])
  expect(funded(0n, 'sign')).toEqual([])
})

test("fees are reviewed for sending and signing, and a jump of the node's price is reported", () => {
  const market = { ...USUAL_PRICE.market, price: { believed: 2n, jumpedFrom: { price: 1n, at: 5 } } }
  for (const purpose of ['sign', 'send'] as const) {
    const found = (gasPrice: bigint, changes: Partial<Filled> = {}) =>
      reviewTransaction(
        {
          transaction: {
            type: '0x0',
            gasPrice: encodeQuantity(gasPrice),
            gas: '0x5208',
            from: ADDRESS,
            to: SECOND,
            chainId: '0x1',
            value: '0x0',
            data: '0x',
          },
          expected: 1n,
          balance: 10n ** 30n,
          needed: null,
          failure: null,
          ...USUAL_PRICE,
          ...changes,
        },
        purpose,
      ).findings.map(({ level, name }) => `${level} ${name}`)
    const gwei = 10n ** 9n
    expect(found(1n)).toEqual([])
    expect(found(4n * gwei)).toEqual(['caution highFee'])
    expect(found((9_000n * gwei * gwei) / 21_000n)).toEqual(['danger excessiveFee'])
    expect(found(gwei, { balance: 10n * 21_000n * gwei - 1n, ownGas: 21_000n })).toEqual(['danger feeOfBalance'])
    expect(found(1n, { market })).toEqual(['caution gasPriceJumped'])
  }
})

test("a gas limit below the node's estimate is reported with both numbers", () => {
  const gasOf = (needed: bigint | null) => review('0x', SECOND, null, needed).findings
  expect(gasOf(3n)).toEqual([{ level: 'caution', name: 'gasTooLow', values: ['2', '3'] }])
  for (const needed of [2n, 1n, null]) expect(gasOf(needed)).toEqual([])
})

test('an allowance in a call that also pays cannot be changed', () => {
  const limitWith = (value: Hex) => {
    const { effect } = reviewTransaction(
      {
        transaction: {
          type: '0x0',
          gasPrice: '0x1',
          gas: '0x2',
          from: ADDRESS,
          to: SECOND,
          chainId: '0x1',
          value,
          data: approve(5n),
        },
        expected: 1n,
        balance: 10n,
        needed: null,
        failure: null,
        ...USUAL_PRICE,
      },
      'send',
    )
    return effect.kind === 'transaction' ? effect.limit : undefined
  }
  expect(limitWith('0x0')).toEqual({ asked: '5', changed: false })
  expect(limitWith('0x1')).toBeNull()
})
