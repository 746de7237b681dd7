/** Typed data of allowances, votes and similar, with the structs of the contracts that read it. */
import * as at from './addresses.ts'
import { IN_30_MINUTES, type Request } from './encode.ts'

/** Fields of each struct, written as in Solidity: "address owner,uint256 value". */
export type Structs = Readonly<Record<string, string>>

export type Domain = {
  name?: string
  version?: string
  chainId?: bigint
  verifyingContract?: string
  salt?: string
}

const DOMAIN_FIELDS = [
  'string name',
  'string version',
  'uint256 chainId',
  'address verifyingContract',
  'bytes32 salt',
] as const

const fieldsOf = (list: string) =>
  list.split(',').map(field => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })

export const onEthereum = (verifyingContract: string, name?: string, version?: string): Domain => ({
  ...(name !== undefined && { name }),
  ...(version !== undefined && { version }),
  chainId: 1n,
  verifyingContract,
})

/** Returns an `eth_signTypedData_v4` request. The first struct is the primary type. */
export const typed = (domain: Domain, structs: Structs, message: Readonly<Record<string, unknown>>): Request => {
  const present = DOMAIN_FIELDS.filter(field => Object.hasOwn(domain, String(field.split(' ')[1])))
  const all = { EIP712Domain: present.join(','), ...structs }
  const types = Object.fromEntries(Object.entries(all).map(([name, fields]) => [name, fieldsOf(fields)]))
  const data = { types, primaryType: Object.keys(structs)[0], domain, message }
  const text = JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
  return { method: 'eth_signTypedData_v4', params: [at.ACCOUNT, text] }
}

export const PERMIT: Structs = {
  Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline',
}
export const USDC_DOMAIN = onEthereum(at.USDC, 'USD Coin', '2')

/** https://eips.ethereum.org/EIPS/eip-2612 */
export const permit = (
  spender: string,
  value: bigint,
  { deadline = IN_30_MINUTES, domain = USDC_DOMAIN }: { deadline?: bigint; domain?: Domain } = {},
): Request => typed(domain, PERMIT, { owner: at.ACCOUNT, spender, value, nonce: 0n, deadline })

export const permitOfDai = (spender: string): Request =>
  typed(
    onEthereum(at.DAI, 'Dai Stablecoin', '1'),
    { Permit: 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed' },
    { holder: at.ACCOUNT, spender, nonce: 0n, expiry: 0n, allowed: true },
  )

/** https://eips.ethereum.org/EIPS/eip-4494 */
export const permitOfPosition = (spender: string, tokenId: bigint): Request =>
  typed(
    onEthereum(at.V3_POSITIONS, 'Uniswap V3 Positions NFT-V1', '1'),
    { Permit: 'address spender,uint256 tokenId,uint256 nonce,uint256 deadline' },
    { spender, tokenId, nonce: 0n, deadline: IN_30_MINUTES },
  )

export const PERMIT2_DOMAIN = onEthereum(at.PERMIT2, 'Permit2')
const PERMIT_DETAILS = 'address token,uint160 amount,uint48 expiration,uint48 nonce'
export const TOKEN_PERMISSIONS = 'address token,uint256 amount'

type Amount = readonly [token: string, amount: bigint]

/** https://github.com/Uniswap/permit2/blob/main/src/libraries/PermitHash.sol */
export const permitSingle = ([token, amount]: Amount, spender: string, expiration: bigint): Request =>
  typed(
    PERMIT2_DOMAIN,
    { PermitSingle: 'PermitDetails details,address spender,uint256 sigDeadline', PermitDetails: PERMIT_DETAILS },
    { details: { token, amount, expiration, nonce: 0n }, spender, sigDeadline: IN_30_MINUTES },
  )

export const permitBatch = (amounts: readonly Amount[], spender: string): Request =>
  typed(
    PERMIT2_DOMAIN,
    { PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline', PermitDetails: PERMIT_DETAILS },
    {
      details: amounts.map(([token, amount]) => ({ token, amount, expiration: IN_30_MINUTES, nonce: 0n })),
      spender,
      sigDeadline: IN_30_MINUTES,
    },
  )

export const permitBatchTransfer = (amounts: readonly Amount[], spender: string): Request =>
  typed(
    PERMIT2_DOMAIN,
    {
      PermitBatchTransferFrom: 'TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline',
      TokenPermissions: TOKEN_PERMISSIONS,
    },
    {
      permitted: amounts.map(([token, amount]) => ({ token, amount })),
      spender,
      nonce: 0n,
      deadline: IN_30_MINUTES,
    },
  )

/** https://eips.ethereum.org/EIPS/eip-3009 */
export const transferAuthorization = (to: string, value: bigint): Request =>
  typed(
    USDC_DOMAIN,
    {
      TransferWithAuthorization:
        'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
    },
    { from: at.ACCOUNT, to, value, validAfter: 0n, validBefore: IN_30_MINUTES, nonce: `0x${'5a'.repeat(32)}` },
  )

/** https://github.com/compound-finance/comet/blob/main/contracts/CometExt.sol */
export const compoundManager = (manager: string): Request =>
  typed(
    onEthereum(at.COMPOUND_USDC, 'Compound USDC', '0'),
    { Authorization: 'address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry' },
    { owner: at.ACCOUNT, manager, isAllowed: true, nonce: 0n, expiry: IN_30_MINUTES },
  )

/** https://github.com/morpho-org/morpho-blue/blob/main/src/interfaces/IMorpho.sol */
export const morphoAuthorization = (authorized: string): Request =>
  typed(
    onEthereum(at.MORPHO),
    { Authorization: 'address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline' },
    { authorizer: at.ACCOUNT, authorized, isAuthorized: true, nonce: 0n, deadline: IN_30_MINUTES },
  )

/** https://eips.ethereum.org/EIPS/eip-7702 */
export const delegation = (address: string): Request =>
  typed(
    { name: 'x', chainId: 1n },
    { Authorization: 'uint256 chainId,address address,uint256 nonce' },
    { chainId: 1n, address, nonce: 0n },
  )

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/exchange-endpoint */
export const hyperliquidWithdrawal = (destination: string, amount: string, time: number): Request =>
  typed(
    onEthereum(at.ZERO, 'HyperliquidSignTransaction', '1'),
    { 'HyperliquidTransaction:Withdraw': 'string hyperliquidChain,string destination,string amount,uint64 time' },
    { hyperliquidChain: 'Mainnet', destination: destination.toLowerCase(), amount, time: BigInt(time) },
  )

/** https://github.com/snapshot-labs/snapshot.js/blob/master/src/sign/types.ts */
export const snapshotVote = (space: string, time: number): Request =>
  typed(
    { name: 'snapshot', version: '0.1.4' },
    {
      Vote: 'address from,string space,uint64 timestamp,bytes32 proposal,uint32 choice,string reason,string app,string metadata',
    },
    {
      from: at.ACCOUNT,
      space,
      timestamp: BigInt(Math.floor(time / 1000)),
      proposal: `0x${'7c'.repeat(32)}`,
      choice: 1,
      reason: '',
      app: 'snapshot',
      metadata: '{}',
    },
  )

/** https://docs.farcaster.xyz/learn/what-is-farcaster/messages */
export const farcasterVerification = (): Request =>
  typed(
    {
      name: 'Farcaster Verify Ethereum Address',
      version: '2.0.0',
      salt: '0xf2d857f4a3edcb9b78b4d503bfe733db1e3f6cdc2b7971ee739626c97e86a558',
    },
    { VerificationClaim: 'uint256 fid,address address,bytes32 blockHash,uint8 network' },
    { fid: 20_431n, address: at.ACCOUNT, blockHash: `0x${'3e'.repeat(32)}`, network: 1 },
  )
