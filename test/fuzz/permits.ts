/** Permits with the domains and types of the contracts in `contracts/`. */
import { HDNodeWallet, TypedDataEncoder, type TypedDataField } from 'ethers'
import { PHRASE } from '../../extension/src/wallet/wallet.fixture.ts'
import { FORWARDER, ZERO } from './addresses.ts'

export const CHAIN_ID = 31337
/** Unix seconds, after the end of the tests. */
export const FAR = 4_000_000_000n

export type Data = {
  types: Record<string, TypedDataField[]>
  primaryType: string
  domain: Record<string, unknown>
  message: Record<string, unknown>
}

export const fields = (text: string): TypedDataField[] =>
  text.split(',').map(field => {
    const [type = '', name = ''] = field.split(' ')
    return { type, name }
  })

const named = (name: string, contract: string) => ({
  name,
  version: '1',
  chainId: CHAIN_ID,
  verifyingContract: contract,
})

export const permit = (token: string, owner: string, spender: string, value: bigint): Data => ({
  types: { Permit: fields('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline') },
  primaryType: 'Permit',
  domain: named('Token', token),
  message: { owner, spender, value, nonce: 0n, deadline: FAR },
})

export const daiPermit = (token: string, holder: string, spender: string, allowed: boolean): Data => ({
  types: { Permit: fields('address holder,address spender,uint256 nonce,uint256 expiry,bool allowed') },
  primaryType: 'Permit',
  domain: named('Token', token),
  message: { holder, spender, nonce: 0n, expiry: 0n, allowed },
})

const PERMIT2_TYPES = {
  PermitSingle: fields('PermitDetails details,address spender,uint256 sigDeadline'),
  PermitBatch: fields('PermitDetails[] details,address spender,uint256 sigDeadline'),
  PermitDetails: fields('address token,uint160 amount,uint48 expiration,uint48 nonce'),
  PermitTransferFrom: fields('TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline'),
  PermitBatchTransferFrom: fields('TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline'),
  TokenPermissions: fields('address token,uint256 amount'),
}

const permit2 = (
  contract: string,
  [primaryType, inner]: readonly [keyof typeof PERMIT2_TYPES, keyof typeof PERMIT2_TYPES],
  message: Record<string, unknown>,
): Data => ({
  types: { [primaryType]: PERMIT2_TYPES[primaryType], [inner]: PERMIT2_TYPES[inner] },
  primaryType,
  domain: { name: 'Permit2', chainId: CHAIN_ID, verifyingContract: contract },
  message,
})

const EXPIRY = 2n ** 48n - 1n
const detail = (token: string, amount: bigint) => ({ token, amount, expiration: EXPIRY, nonce: 0n })

export const permitSingle = (contract: string, token: string, spender: string, amount: bigint): Data =>
  permit2(contract, ['PermitSingle', 'PermitDetails'], { details: detail(token, amount), spender, sigDeadline: FAR })

export const permitBatch = (
  contract: string,
  spender: string,
  details: readonly { token: string; amount: bigint }[],
): Data =>
  permit2(contract, ['PermitBatch', 'PermitDetails'], {
    details: details.map(({ token, amount }) => detail(token, amount)),
    spender,
    sigDeadline: FAR,
  })

export const permitTransfer = (contract: string, token: string, spender: string, amount: bigint): Data =>
  permit2(contract, ['PermitTransferFrom', 'TokenPermissions'], {
    permitted: { token, amount },
    spender,
    nonce: 7n,
    deadline: FAR,
  })

export const permitTransfers = (
  contract: string,
  spender: string,
  permitted: readonly { token: string; amount: bigint }[],
): Data =>
  permit2(contract, ['PermitBatchTransferFrom', 'TokenPermissions'], { permitted, spender, nonce: 7n, deadline: FAR })

export const authorization = (
  kind: 'Transfer' | 'Receive',
  token: string,
  from: string,
  to: string,
  value: bigint,
): Data => ({
  types: {
    [`${kind}WithAuthorization`]: fields(
      'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
    ),
  },
  primaryType: `${kind}WithAuthorization`,
  domain: named('Token', token),
  message: { from, to, value, validAfter: 0n, validBefore: FAR, nonce: `0x${'05'.repeat(32)}` },
})

/** The payment of a Safe to the executor of its transaction, or to the receiver if one is named. */
export type Refund = Readonly<{
  safeTxGas: bigint
  baseGas: bigint
  gasPrice: bigint
  gasToken: string
  refundReceiver: string
}>

export const NO_REFUND: Refund = { safeTxGas: 0n, baseGas: 0n, gasPrice: 0n, gasToken: ZERO, refundReceiver: ZERO }

type SafeCall = { to: string; value: bigint; data: string; operation: number }

export const safeTransaction = (
  safe: string,
  { to, value, data, operation }: SafeCall,
  refund: Refund = NO_REFUND,
  chainId = CHAIN_ID,
): Data => ({
  types: {
    SafeTx: fields(
      'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce',
    ),
  },
  primaryType: 'SafeTx',
  domain: { chainId, verifyingContract: safe },
  message: { to, value, data, operation, ...refund, nonce: 0n },
})

export const userOperation = (entryPoint: string, sender: string, callData: string): Data => ({
  types: {
    PackedUserOperation: fields(
      'address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData',
    ),
  },
  primaryType: 'PackedUserOperation',
  domain: named('ERC4337', entryPoint),
  message: {
    sender,
    nonce: 0n,
    initCode: '0x',
    callData,
    accountGasLimits: `0x${'01'.repeat(32)}`,
    preVerificationGas: 1n,
    gasFees: `0x${'01'.repeat(32)}`,
    paymasterAndData: '0x',
  },
})

export const forwardRequest = (from: string, to: string, data: string): Data => ({
  types: {
    ForwardRequest: fields(
      'address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data',
    ),
  },
  primaryType: 'ForwardRequest',
  domain: named('Forwarder', FORWARDER),
  message: { from, to, value: 0n, gas: 1_000_000n, nonce: 0n, deadline: FAR, data },
})

const owner = HDNodeWallet.fromPhrase(PHRASE)

/** Returns the hash that is signed, computed by ethers. */
export const digestOf = ({ domain, types, message }: Data): string => TypedDataEncoder.hash(domain, types, message)

/** Returns the first account's signature. */
export const signed = (data: Data): { v: number; r: string; s: string; serialized: string } =>
  owner.signingKey.sign(digestOf(data))
