/** Transactions, messages and operations of the account's Safe. */
import { concat, zeroPadValue } from 'ethers'
import * as at from './addresses.ts'
import { type Call, calling, encodeCall, IN_30_MINUTES, MAX, type Request, usdc } from './encode.ts'
import { onEthereum, PERMIT, typed, USDC_DOMAIN } from './typed.ts'

/** A transaction of the Safe. Omitted fields are zero. */
type SafeCall = Call & { operation?: 0 | 1; refund?: { baseGas: bigint; gasPrice: bigint; receiver: string } }

const valuesOf = ({ to, value = 0n, data = '0x', operation = 0, refund }: SafeCall) => ({
  to,
  value,
  data,
  operation,
  safeTxGas: 0n,
  baseGas: refund?.baseGas ?? 0n,
  gasPrice: refund?.gasPrice ?? 0n,
  gasToken: at.ZERO,
  refundReceiver: refund?.receiver ?? at.ZERO,
})

/** https://github.com/safe-global/safe-smart-account/blob/v1.4.1/contracts/Safe.sol */
export const safeTx = (call: SafeCall): Request =>
  typed(
    onEthereum(at.OWN_SAFE),
    {
      SafeTx:
        'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce',
    },
    { ...valuesOf(call), nonce: 3n },
  )

/** The signature that stands for an owner who sends the transaction. */
const OF_SENDER = concat([zeroPadValue(at.ACCOUNT, 32), `0x${'0'.repeat(64)}`, '0x01'])

export const execTransaction = (call: SafeCall): Request =>
  calling(at.OWN_SAFE, 'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)', [
    ...Object.values(valuesOf(call)),
    OF_SENDER,
  ])

const word = (value: number | bigint): string => `0x${value.toString(16).padStart(64, '0')}`

/** Encodes `multiSend(bytes)`, with its packed calls. */
export const multiSend = (...calls: readonly Call[]): string => {
  const packed = calls.map(({ to, value = 0n, data = '0x' }) =>
    concat(['0x00', to, word(value), word((data.length - 2) / 2), data]),
  )
  return encodeCall('multiSend(bytes)', concat(packed))
}

export const safeMessage = (message: string): Request =>
  typed(onEthereum(at.OWN_SAFE), { SafeMessage: 'bytes message' }, { message })

/** https://github.com/safe-global/safe-modules/blob/main/modules/4337/contracts/Safe4337Module.sol */
export const safeOperation = (callData: string): Request =>
  typed(
    onEthereum(at.SAFE_4337_MODULE),
    {
      SafeOp:
        'address safe,uint256 nonce,bytes initCode,bytes callData,uint128 verificationGasLimit,uint128 callGasLimit,uint256 preVerificationGas,uint128 maxPriorityFeePerGas,uint128 maxFeePerGas,bytes paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint',
    },
    {
      safe: at.OWN_SAFE,
      nonce: 0n,
      initCode: '0x',
      callData,
      verificationGasLimit: 300_000n,
      callGasLimit: 300_000n,
      preVerificationGas: 60_000n,
      maxPriorityFeePerGas: 100_000_000n,
      maxFeePerGas: 2_100_000_000n,
      paymasterAndData: '0x',
      validAfter: 0n,
      validUntil: 0n,
      entryPoint: at.ENTRY_POINT_07,
    },
  )

/** https://github.com/eth-infinitism/account-abstraction/blob/v0.8.0/contracts/core/EntryPoint.sol */
export const userOperation = (callData: string): Request =>
  typed(
    onEthereum(at.ENTRY_POINT_08, 'ERC4337', '1'),
    {
      PackedUserOperation:
        'address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData',
    },
    {
      sender: at.OWN_SAFE,
      nonce: 0n,
      initCode: '0x',
      callData,
      accountGasLimits: `0x${300_000n.toString(16).padStart(32, '0').repeat(2)}`,
      preVerificationGas: 60_000n,
      gasFees: `0x${100_000_000n.toString(16).padStart(32, '0')}${2_100_000_000n.toString(16).padStart(32, '0')}`,
      paymasterAndData: '0x',
    },
  )

/** A permit that the Safe signs: https://eips.ethereum.org/EIPS/eip-7739 */
export const nestedPermit = (spender: string): Request =>
  typed(
    USDC_DOMAIN,
    {
      TypedDataSign:
        'Permit contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt',
      ...PERMIT,
    },
    {
      contents: { owner: at.OWN_SAFE, spender, value: MAX, nonce: 0n, deadline: IN_30_MINUTES },
      name: 'Safe',
      version: '1.4.1',
      chainId: 1n,
      verifyingContract: at.OWN_SAFE,
      salt: `0x${'0'.repeat(64)}`,
    },
  )

export const transferOf = (to: string, amount: string): Call => ({
  to: at.USDC,
  data: encodeCall('transfer(address,uint256)', to, usdc(amount)),
})
