import type { Hex } from '@heliograph/shared/evm/hex'
import { Interface } from 'ethers'
import { expect, test } from 'vitest'
import { ADDRESS, SECOND } from '../wallet.fixture.ts'
import { review, TOKEN } from './forms.fixture.ts'

const SAFE = '0x1de75C8A5DF8a7FEE3579e1d203136815C2c2100'
const ZERO = `0x${'0'.repeat(40)}`
const encode = (signature: string, ...args: unknown[]): Hex =>
  new Interface([`function ${signature}`]).encodeFunctionData(signature.slice(0, signature.indexOf('(')), args) as Hex

const SAFE_TX = {
  to: 'address',
  value: 'uint256',
  data: 'bytes',
  operation: 'uint8',
  safeTxGas: 'uint256',
  baseGas: 'uint256',
  gasPrice: 'uint256',
  gasToken: 'address',
  refundReceiver: 'address',
  nonce: 'uint256',
}
const safe = (more: object, types: Record<string, string> = SAFE_TX) =>
  review(
    'SafeTx',
    { SafeTx: types },
    {
      to: TOKEN,
      value: 0,
      data: '0x',
      operation: 0,
      safeTxGas: 0,
      baseGas: 0,
      gasPrice: 0,
      gasToken: ZERO,
      refundReceiver: ZERO,
      nonce: 3,
      ...more,
    },
    { verifyingContract: SAFE },
  )

test('a Safe transaction makes its call and pays a refund', () => {
  expect(safe({ baseGas: 5 }).payments).toEqual([])
  const refund = { baseGas: 1_000_000, gasPrice: 7, refundReceiver: SECOND }
  expect(safe(refund).payments).toEqual([{ from: SAFE, to: SECOND, value: String(1_100_000 * 7) }])
  expect(safe({ ...refund, safeTxGas: 200_000 }).payments).toMatchObject([{ value: String(1_200_000 * 7) }])
  expect(safe({ ...refund, refundReceiver: ZERO }).payments).toMatchObject([{ to: ZERO }])
  const inTokens = safe({ ...refund, gasToken: TOKEN })
  expect(inTokens.payments).toEqual([])
  expect(inTokens.acts).toEqual([
    { kind: 'transfer', token: TOKEN, from: SAFE, to: SECOND, amount: String(1_100_000 * 7), id: null },
  ])
  const { baseGas: _, ...old } = { ...SAFE_TX, dataGas: 'uint256' }
  expect(safe({ ...refund, dataGas: 1_000_000 }, old).payments).toHaveLength(1)
})

test('a Safe that calls itself can give control of itself', () => {
  const owner = encode('addOwnerWithThreshold(address,uint256)', SECOND, 1)
  expect(safe({ to: SAFE, data: owner }).acts).toEqual([{ kind: 'control', right: 'safeOwner', of: SAFE, to: SECOND }])
  const enabled = encode('enableModule(address)', SECOND)
  expect(safe({ to: SAFE, data: enabled }).acts).toMatchObject([{ right: 'safeModule' }])
})

test('a Safe4337Module operation is read as its calls', () => {
  const SAFE_OP = {
    safe: 'address',
    nonce: 'uint256',
    initCode: 'bytes',
    callData: 'bytes',
    verificationGasLimit: 'uint128',
    callGasLimit: 'uint128',
    preVerificationGas: 'uint256',
    maxPriorityFeePerGas: 'uint128',
    maxFeePerGas: 'uint128',
    paymasterAndData: 'bytes',
    validAfter: 'uint48',
    validUntil: 'uint48',
    entryPoint: 'address',
  }
  const operation = (callData: Hex) =>
    review(
      'SafeOp',
      { SafeOp: SAFE_OP },
      {
        safe: SAFE,
        nonce: 0,
        initCode: '0x',
        callData,
        verificationGasLimit: 0,
        callGasLimit: 0,
        preVerificationGas: 0,
        maxPriorityFeePerGas: 0,
        maxFeePerGas: 0,
        paymasterAndData: '0x',
        validAfter: 0,
        validUntil: 0,
        entryPoint: SECOND,
      },
      { verifyingContract: TOKEN },
    )
  const execute = 'executeUserOp(address,uint256,bytes,uint8)'
  const transfer = encode('transfer(address,uint256)', SECOND, 5)
  expect(operation(encode(execute, TOKEN, 7, transfer, 0))).toMatchObject({
    form: 'userOperation',
    acts: [{ kind: 'transfer', token: TOKEN, from: SAFE, to: SECOND, amount: '5' }],
    payments: [{ from: SAFE, to: TOKEN, value: '7' }],
  })
  const code = { kind: 'control', right: 'code', of: SAFE, to: SECOND }
  expect(operation(encode(execute, SECOND, 0, '0x12345678', 1)).acts).toEqual([code])
  expect(
    operation(encode('executeUserOpWithErrorString(address,uint256,bytes,uint8)', ADDRESS, 0, '0x', 1)).acts,
  ).toMatchObject([{ right: 'code', to: ADDRESS }])
})
