/** The simulated node: answers reads of the world's contracts, and simulates calls by a row's rules. */
import { Interface, parseUnits, toBeHex, toQuantity, zeroPadValue } from 'ethers'
import { nodeError } from '../../extension/src/wallet/networks/answers.ts'
import { MULTICALL } from '../../extension/src/wallet/networks/multicall.ts'
import type { Chain } from '../../extension/src/wallet/networks/node.ts'
import { chainOf, NOW } from '../../extension/src/wallet/wallet.fixture.ts'
import { ACCOUNT, OWN_CONTRACT, OWN_SAFE, SAFE_SINGLETON, WETH, ZERO } from './addresses.ts'
import { answerOf, contractsOf, type Right } from './contracts.ts'
import { ether } from './encode.ts'
import { coinsOf, logOf, type Simulated, type Simulation } from './simulated.ts'

/** A row's differences from the usual world. If `simulation` is null, the node does not support `eth_simulateV1`. */
export type Changes = { rights?: readonly Right[]; simulation?: Simulation | null }

const HEIGHT = 18_571_000n
const BLOCK_TIME = 12n
const BASE_FEE = parseUnits('1', 'gwei')
const TIP = parseUnits('0.1', 'gwei')
const PROPOSER = '0x95222290DD7278Aa3Ddd389Cc1E1d165CC4BAfe5'
const CODE = '0x6001'
const WORD_OF_ZEROS = `0x${'0'.repeat(64)}`
/** The storage slot of a proxy's admin: https://eips.ethereum.org/EIPS/eip-1967 */
const ADMIN_SLOT = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'

const MULTICALL_READS = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[])',
  'function getEthBalance(address) view returns (uint256)',
])

const COINS: readonly (readonly [string, bigint])[] = [
  [ACCOUNT, ether('5')],
  [OWN_SAFE, ether('20')],
]

const lower = (value: unknown): string => String(value).toLowerCase()
const balanceOf = (address: unknown): bigint => COINS.find(([holder]) => lower(holder) === lower(address))?.[1] ?? 0n

const reverted = () => nodeError({ code: 3, message: 'execution reverted', data: '0x' })

type Members = Record<string, unknown>
const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {})
const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.map(membersOf) : [])
const numberIn = (value: unknown): bigint | null =>
  value === undefined || value === null ? null : BigInt(String(value))

const block = (number: bigint) => ({
  number: toQuantity(number),
  hash: zeroPadValue(toBeHex(number), 32),
  parentHash: zeroPadValue(toBeHex(number - 1n), 32),
  timestamp: toQuantity(BigInt(NOW / 1000) + (number - HEIGHT) * BLOCK_TIME),
  miner: PROPOSER,
  baseFeePerGas: toQuantity(BASE_FEE),
  gasLimit: '0x2255100',
  gasUsed: '0x1000000',
  transactions: [],
})

/** Returns the effective gas price of a simulated call, by Geth's rules. */
const priceOf = (call: Members, baseFee: bigint): bigint => {
  const flat = numberIn(call.gasPrice)
  if (flat !== null) return flat
  const [most, tip] = [numberIn(call.maxFeePerGas) ?? 0n, numberIn(call.maxPriorityFeePerGas) ?? 0n]
  return most < baseFee + tip ? most : baseFee + tip
}

/** Returns a simulated block with its overrides. */
const blockWith = (number: bigint, overrides: Members, baseFee: bigint) => {
  const header = block(number)
  const time = numberIn(overrides.time) ?? BigInt(header.timestamp)
  const miner = String(overrides.feeRecipient ?? ZERO)
  return { ...header, miner, baseFeePerGas: toQuantity(baseFee), timestamp: toQuantity(time) }
}

/** Simulates the blocks of an `eth_simulateV1` request. Empty blocks fill gaps between block numbers, as in Geth. */
const simulate = (simulation: Simulation, [asked]: readonly unknown[]) => {
  const { blockStateCalls, traceTransfers, validation } = membersOf(asked)
  let last = HEIGHT
  return listOf(blockStateCalls).flatMap(({ calls, blockOverrides }) => {
    const overrides = membersOf(blockOverrides)
    const number = numberIn(overrides.number) ?? last + 1n
    const empty = Array.from({ length: Number(number - last) - 1 }, (_, at) => block(last + 1n + BigInt(at)))
    last = number
    const baseFee = numberIn(overrides.baseFeePerGas) ?? (validation === true ? BASE_FEE : 0n)
    const header = blockWith(number, overrides, baseFee)
    const results = listOf(calls).map(call => {
      const simulated: Simulated = {
        from: String(call.from),
        to: String(call.to ?? ZERO),
        data: String(call.data ?? call.input ?? '0x'),
        value: numberIn(call.value) ?? 0n,
        gasPrice: priceOf(call, baseFee),
        coinbase: header.miner,
        blocksLater: number - HEIGHT + (BigInt(header.timestamp) - BigInt(NOW / 1000)) / BLOCK_TIME,
      }
      const moves = simulation(simulated).filter(({ token }) => token !== null || traceTransfers === true)
      const logs = moves.map((move, at) => ({ ...logOf(move), logIndex: toQuantity(at), blockNumber: header.number }))
      return { status: '0x1', gasUsed: '0x249f0', returnData: '0x', logs }
    })
    return [...empty.map(one => ({ ...one, calls: [] })), { ...header, calls: results }]
  })
}

/** Returns the node of a row. */
export const nodeWith = ({ rights = [], simulation = coinsOf }: Changes = {}): Chain => {
  const contracts = contractsOf(rights)
  const isContract = (address: unknown) => contracts.has(lower(address)) || lower(address) === lower(MULTICALL)

  const read = (to: string, data: string): string | null => {
    if (lower(to) === lower(MULTICALL)) return readTogether(data)
    const contract = contracts.get(lower(to))
    if (contract === undefined) return '0x'
    // WETH's fallback function deposits, and returns nothing.
    return answerOf(contract, data) ?? (lower(to) === lower(WETH) ? '0x' : null)
  }

  const readTogether = (data: string): string | null => {
    const call = MULTICALL_READS.parseTransaction({ data })
    if (call?.name === 'getEthBalance')
      return MULTICALL_READS.encodeFunctionResult('getEthBalance', [balanceOf(call.args[0])])
    if (call?.name !== 'aggregate3') return null
    const asked = call.args[0] as readonly { target: string; callData: string }[]
    const answers = asked.map(({ target, callData }) => read(target, callData))
    return MULTICALL_READS.encodeFunctionResult('aggregate3', [answers.map(one => [one !== null, one ?? '0x'])])
  }

  const storageAt = ([address, slot]: readonly unknown[]): string => {
    if (lower(address) === lower(OWN_SAFE) && BigInt(String(slot)) === 0n) return zeroPadValue(SAFE_SINGLETON, 32)
    return lower(address) === lower(OWN_CONTRACT) && slot === ADMIN_SLOT ? zeroPadValue(ACCOUNT, 32) : WORD_OF_ZEROS
  }

  return chainOf({
    eth_chainId: () => '0x1',
    eth_blockNumber: () => toQuantity(HEIGHT),
    eth_syncing: () => false,
    eth_getBlockByNumber: ([number]) => block(/^0x/.test(String(number)) ? BigInt(String(number)) : HEIGHT),
    eth_gasPrice: () => toQuantity(BASE_FEE + TIP),
    eth_maxPriorityFeePerGas: () => toQuantity(TIP),
    eth_estimateGas: ([call]) => {
      const { to, data = '0x' } = membersOf(call)
      return data === '0x' && !isContract(to) ? '0x5208' : '0x30d40'
    },
    eth_getBalance: ([address]) => toQuantity(balanceOf(address)),
    eth_getTransactionCount: () => '0x0',
    eth_getTransactionByHash: () => null,
    eth_getTransactionReceipt: () => null,
    eth_getLogs: () => [],
    eth_getCode: ([address]) => (isContract(address) ? CODE : '0x'),
    eth_getStorageAt: storageAt,
    eth_call: ([call]) => {
      const { to, data, input } = membersOf(call)
      const answer = read(String(to), String(data ?? input ?? '0x'))
      // A call from the account is a trial run of a transaction, so it must succeed.
      if (answer === null && lower(membersOf(call).from) === lower(ACCOUNT)) return '0x'
      if (answer === null) throw reverted()
      return answer
    },
    ...(simulation && { eth_simulateV1: params => simulate(simulation, params) }),
  })
}
