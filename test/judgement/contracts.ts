/** The read functions of the world's contracts. */
import { Interface, type Result } from 'ethers'
import * as at from './addresses.ts'
import { ether, IN_30_DAYS, MAX, MAX_160, usdc } from './encode.ts'

type Values = readonly unknown[]
/** Results by function, such as "balanceOf(address)". Other functions revert. */
export type Answers = Readonly<Record<string, (...values: Values) => Values>>

/** An allowance or operator right that the account has granted. `within` is set if Permit2 stores the allowance. */
export type Right = { token: string; spender: string; amount: bigint; within?: typeof at.PERMIT2 }

const READS = new Interface([
  'function symbol() view returns (string)',
  'function name() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function balanceOf(address, uint256) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
  'function allowance(address, address, address) view returns (uint160, uint48, uint48)',
  'function supportsInterface(bytes4) view returns (bool)',
  'function ownerOf(uint256) view returns (address)',
  'function tokenOfOwnerByIndex(address, uint256) view returns (uint256)',
  'function getApproved(uint256) view returns (address)',
  'function isApprovedForAll(address, address) view returns (bool)',
  'function punkIndexToAddress(uint256) view returns (address)',
  'function nonces(address) view returns (uint256)',
  'function owner() view returns (address)',
  'function owner(bytes32) view returns (address)',
  'function hasRole(bytes32, address) view returns (bool)',
  'function getRoleAdmin(bytes32) view returns (bytes32)',
  'function getOwners() view returns (address[])',
  'function isOwner(address) view returns (bool)',
  'function getThreshold() view returns (uint256)',
  'function nonce() view returns (uint256)',
  'function VERSION() view returns (string)',
  'function masterCopy() view returns (address)',
  'function isModuleEnabled(address) view returns (bool)',
  'function UNDERLYING_ASSET_ADDRESS() view returns (address)',
  'function POOL() view returns (address)',
  'function baseToken() view returns (address)',
])

const same = (one: unknown, other: unknown): boolean => String(one).toLowerCase() === String(other).toLowerCase()

type Balances = readonly (readonly [string, bigint])[]

const allowanceOf = (rights: readonly Right[], token: unknown, owner: unknown, spender: unknown): bigint =>
  rights.find(right => same(owner, at.ACCOUNT) && same(right.token, token) && same(right.spender, spender))?.amount ??
  0n
const isDirect = ({ within }: Right): boolean => within === undefined

const erc20 = (
  address: string,
  rights: readonly Right[],
  [name, symbol, decimals]: readonly [string, string, number],
  balances: Balances = [],
): Answers => ({
  'name()': () => [name],
  'symbol()': () => [symbol],
  'decimals()': () => [decimals],
  'totalSupply()': () => [10n ** BigInt(9 + decimals)],
  'balanceOf(address)': owner => [balances.find(([holder]) => same(holder, owner))?.[1] ?? 0n],
  'allowance(address,address)': (owner, spender) => [allowanceOf(rights.filter(isDirect), address, owner, spender)],
  'nonces(address)': () => [0n],
})

const ERC721 = ['0x80ac58cd', '0x01ffc9a7']

/** A collection. The account owns the items `own`. */
const erc721 = (
  address: string,
  rights: readonly Right[],
  [name, symbol]: readonly [string, string],
  own: readonly bigint[],
): Answers => ({
  'name()': () => [name],
  'symbol()': () => [symbol],
  'totalSupply()': () => [10_000n],
  'supportsInterface(bytes4)': id => [ERC721.includes(String(id))],
  'balanceOf(address)': owner => [same(owner, at.ACCOUNT) ? BigInt(own.length) : 0n],
  'ownerOf(uint256)': id => [own.includes(BigInt(String(id))) ? at.ACCOUNT : at.addressNamed(`owner of ${id}`)],
  'tokenOfOwnerByIndex(address,uint256)': (_owner, index) => [own[Number(index)] ?? 0n],
  'getApproved(uint256)': () => [at.ZERO],
  'isApprovedForAll(address,address)': (owner, spender) => [
    same(owner, at.ACCOUNT) && rights.some(right => same(right.token, address) && same(right.spender, spender)),
  ],
})

const permit2 = (rights: readonly Right[]): Answers => ({
  'allowance(address,address,address)': (owner, token, spender) => {
    const within = rights.filter(right => !isDirect(right))
    const amount = allowanceOf(within, token, owner, spender)
    return [amount > MAX_160 ? MAX_160 : amount, amount > 0n ? IN_30_DAYS : 0n, 0n]
  },
})

const SAFE: Answers = {
  'getOwners()': () => [[at.ACCOUNT]],
  'isOwner(address)': owner => [same(owner, at.ACCOUNT)],
  'getThreshold()': () => [1n],
  'nonce()': () => [3n],
  'VERSION()': () => ['1.4.1'],
  'masterCopy()': () => [at.SAFE_SINGLETON],
  'isModuleEnabled(address)': module => [same(module, at.SAFE_4337_MODULE)],
}

const OWN_CONTRACT: Answers = {
  'owner()': () => [at.ACCOUNT],
  'hasRole(bytes32,address)': (_role, holder) => [same(holder, at.ACCOUNT)],
  'getRoleAdmin(bytes32)': () => [`0x${'0'.repeat(64)}`],
}

const lent = { 'UNDERLYING_ASSET_ADDRESS()': () => [at.USDC], 'POOL()': () => [at.AAVE_POOL] }

/** Returns the results of each contract, by lowercase address. Other contracts revert every read. */
export const contractsOf = (rights: readonly Right[]): ReadonlyMap<string, Answers> => {
  const own = (amount: bigint): Balances => [[at.ACCOUNT, amount]]
  const token = (address: string, facts: readonly [string, string, number], balances?: Balances) =>
    [address, erc20(address, rights, facts, balances)] as const
  const items = (address: string, facts: readonly [string, string], ids: readonly bigint[]) =>
    [address, erc721(address, rights, facts, ids)] as const
  const [, aaveUsdc] = token(at.AAVE_USDC, ['Aave Ethereum USDC', 'aEthUSDC', 6], own(usdc('4000')))
  const [, debt] = token(at.AAVE_USDC_DEBT, ['Aave Ethereum Variable Debt USDC', 'variableDebtEthUSDC', 6])
  const [, comet] = token(at.COMPOUND_USDC, ['Compound USDC', 'cUSDCv3', 6])
  const [, punks] = token(at.CRYPTO_PUNKS, ['CRYPTOPUNKS', 'Ͼ', 0], own(1n))
  const all: readonly (readonly [string, Answers])[] = [
    ...at.PLAIN_CONTRACTS.map(address => [address, {}] as const),
    token(at.USDC, ['USD Coin', 'USDC', 6], [...own(usdc('5000')), [at.OWN_SAFE, usdc('10000')]]),
    token(at.USDT, ['Tether USD', 'USDT', 6], own(usdc('2000'))),
    token(at.DAI, ['Dai Stablecoin', 'DAI', 18], own(ether('1000'))),
    token(at.WETH, ['Wrapped Ether', 'WETH', 18], own(ether('3'))),
    token(at.STETH, ['Liquid staked Ether 2.0', 'stETH', 18], own(ether('1'))),
    token(at.UNI, ['Uniswap', 'UNI', 18], own(ether('40'))),
    token(at.COUNTERFEIT, ['USD Coin', 'USDC', 6]),
    [at.AAVE_USDC, { ...aaveUsdc, ...lent }],
    [at.AAVE_USDC_DEBT, { ...debt, ...lent }],
    [at.COMPOUND_USDC, { ...comet, 'baseToken()': () => [at.USDC] }],
    [at.CRYPTO_PUNKS, { ...punks, 'punkIndexToAddress(uint256)': () => [at.ACCOUNT] }],
    items(at.BAYC, ['BoredApeYachtClub', 'BAYC'], [7n, 8n]),
    items(at.V3_POSITIONS, ['Uniswap V3 Positions NFT-V1', 'UNI-V3-POS'], [7n]),
    items(at.V4_POSITIONS, ['Uniswap v4 Positions NFT', 'UNI-V4-POSM'], [9n]),
    items(at.DOTS, ['Dots', 'DOTS'], []),
    [at.PERMIT2, permit2(rights)],
    [at.ENS_REGISTRY, { 'owner(bytes32)': () => [at.ACCOUNT] }],
    [at.OWN_SAFE, SAFE],
    [at.OWN_CONTRACT, OWN_CONTRACT],
  ]
  return new Map(all.map(([address, answers]) => [address.toLowerCase(), answers]))
}

/** Returns the data with which a contract responds to a call, or null if it reverts. */
export const answerOf = (contract: Answers, data: string): string | null => {
  const read = READS.parseTransaction({ data })
  const answer = read && contract[read.signature]
  if (!read || !answer) return null
  const values: Result = read.args
  return READS.encodeFunctionResult(read.fragment, [...answer(...values)])
}

/** Returns a spender's unlimited right. */
export const unlimited = (token: string, spender: string): Right => ({ token, spender, amount: MAX })

/** Returns the allowances that let a spender take tokens through Permit2. */
export const viaPermit2 = (token: string, spender: string): readonly Right[] => [
  unlimited(token, at.PERMIT2),
  { ...unlimited(token, spender), within: at.PERMIT2 },
]
