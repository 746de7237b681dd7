/** Amounts, calldata and requests, encoded as sites and contracts do. */
import { AbiCoder, Interface, parseEther, parseUnits, toQuantity } from 'ethers'
import { NOW } from '../../extension/src/wallet/wallet.fixture.ts'
import { ACCOUNT } from './addresses.ts'

export const MAX = (1n << 256n) - 1n
export const MAX_160 = (1n << 160n) - 1n

/** Converts amounts to the smallest unit. */
export const ether = (amount: string): bigint => parseEther(amount)
export const usdc = (amount: string): bigint => parseUnits(amount, 6)

/** Returns Unix seconds, counted from the world's current time. */
const after = (seconds: number): bigint => BigInt(NOW / 1000 + seconds)
export const IN_30_MINUTES = after(1_800)
export const IN_30_DAYS = after(30 * 86_400)
/** Unix seconds, in the year 5138. */
export const FOR_EVER = 99_999_999_999n

export const encodeValues = (types: readonly string[], values: readonly unknown[]): string =>
  AbiCoder.defaultAbiCoder().encode(types, values)

/** Encodes the calldata of a function such as `approve(address,uint256)`. */
export const encodeCall = (signature: string, ...values: readonly unknown[]): string => {
  const functions = new Interface([`function ${signature}`])
  return functions.encodeFunctionData(functions.getFunction(signature.replace(/\(.*/s, '')) ?? signature, values)
}

/** A request that a site sends. */
export type Request = { method: string; params: readonly unknown[] }

export type Call = { to: string; data?: string; value?: bigint }

const membersOf = ({ to, data, value }: Call) => ({
  to,
  ...(data !== undefined && { data }),
  ...(value !== undefined && { value: toQuantity(value) }),
})

export const transaction = (call: Call, more: Record<string, unknown> = {}): Request => ({
  method: 'eth_sendTransaction',
  params: [{ from: ACCOUNT, ...membersOf(call), ...more }],
})

/** Returns a transaction that calls a function, with coins if `value` is given. */
export const calling = (to: string, signature: string, values: readonly unknown[] = [], value = 0n): Request =>
  transaction({ to, data: encodeCall(signature, ...values), value })

export const batch = (...calls: readonly Call[]): Request => ({
  method: 'wallet_sendCalls',
  params: [{ version: '2.0.0', from: ACCOUNT, chainId: '0x1', atomicRequired: false, calls: calls.map(membersOf) }],
})

/** Returns a `personal_sign` request for bytes in hex. */
export const personalSign = (bytes: string): Request => ({ method: 'personal_sign', params: [bytes, ACCOUNT] })
