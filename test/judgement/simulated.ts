/** Transfers of simulated calls, and their logs. */
import { Interface, toBeHex, zeroPadValue } from 'ethers'
import { CURRENCY, TRANSFER } from '../../extension/src/wallet/tokens/token-moves.ts'

/**
 * A simulated call, with the block values that its contract can read. A higher `blocksLater` means a later number and
 * time.
 */
export type Simulated = {
  from: string
  to: string
  data: string
  value: bigint
  gasPrice: bigint
  coinbase: string
  blocksLater: bigint
}

/** A transfer of a token, of coins if `token` is null, or of a collection's item if `id` is set. */
export type Move = { token: string | null; from: string; to: string; amount: bigint; id?: bigint }

export type Simulation = (call: Simulated) => readonly Move[]

const wordOf = (value: string | bigint): string =>
  zeroPadValue(typeof value === 'bigint' ? toBeHex(value) : value, 32).toLowerCase()

export const logOf = ({ token, from, to, amount, id }: Move) => ({
  address: (token ?? CURRENCY).toLowerCase(),
  topics: [TRANSFER, wordOf(from), wordOf(to), ...(id === undefined ? [] : [wordOf(id)])],
  data: id === undefined ? wordOf(amount) : '0x',
})

const MOVING = new Interface([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function safeTransferFrom(address from, address to, uint256 id)',
])

/** Returns the transfers of a direct call to a token's function. */
const tokensOf = ({ from, to: token, data }: Simulated): readonly Move[] => {
  const call = MOVING.parseTransaction({ data })
  if (!call) return []
  if (call.name === 'transfer') return [{ token, from, to: String(call.args[0]), amount: BigInt(call.args[1]) }]
  const [owner, receiver, number] = [String(call.args[0]), String(call.args[1]), BigInt(call.args[2])]
  const amount = call.name === 'transferFrom' ? number : 1n
  return [{ token, from: owner, to: receiver, amount, ...(call.name !== 'transferFrom' && { id: number }) }]
}

/** The default simulation: moves the call's coins, and the tokens that its own arguments transfer. */
export const coinsOf: Simulation = call => {
  const { from, to, value } = call
  return [...(value > 0n ? [{ token: null, from, to, amount: value }] : []), ...tokensOf(call)]
}

export const move = (token: string | null, amount: bigint, from: string, to: string): Move => ({
  token,
  from,
  to,
  amount,
})

/** Returns the default simulation with further transfers. */
export const alsoMoving =
  (...moves: readonly Move[]): Simulation =>
  call => [...coinsOf(call), ...moves]

/** Like `alsoMoving`, but for a batch: the further transfers belong to the batch's calls of `contract`. */
export const movingAt =
  (contract: string, ...moves: readonly Move[]): Simulation =>
  call => [...coinsOf(call), ...(call.to.toLowerCase() === contract.toLowerCase() ? moves : [])]
