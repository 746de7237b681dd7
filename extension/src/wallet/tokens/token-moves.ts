/**
 * Decodes transfers from event logs: https://eips.ethereum.org/EIPS/eip-20, https://eips.ethereum.org/EIPS/eip-721,
 * https://eips.ethereum.org/EIPS/eip-1155. A contract can log anything.
 */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { decodeArguments } from '@heliograph/shared/evm/abi-decode'
import { sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { decodeData, type Hex, isHex } from '@heliograph/shared/evm/hex'
import type { TokenKind } from '../../messages.ts'
import { momentOf } from '../networks/blocks.ts'
import { type Log, logsIn } from '../networks/logs.ts'
import { plausibleQuantityIn } from '../networks/quantities.ts'

/** A transfer. `token` is null for the native currency. `id` is set only for items in a collection. */
export type Move = {
  kind: TokenKind
  token: string | null
  id: bigint | null
  from: string
  to: string
  amount: bigint
}

/**
 * Position of a mined transaction's log. `index` is the log's number in the block. `time` is the block's Unix time in
 * ms, null if the node does not add it.
 */
export type Mined = { hash: Hex; block: number; index: number; time: number | null }

/** Topics of `Transfer(address,address,uint256)` and of ERC-1155's two events. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
export const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
/** Address that eth_simulateV1 uses in logs for transfers of the native currency. */
export const CURRENCY = `0x${'ee'.repeat(20)}`

const { parameters: lists } = parseFunction('answer(uint256[] ids, uint256[] values)')
const { parameters: pair } = parseFunction('answer(uint256 id, uint256 value)')
const { parameters: one } = parseFunction('answer(uint256 value)')

/** Converts an address in a node's response. Its letter case is ignored, because it need not be a checksum. */
const contractOf = (address: string): string => toAddress(address.toLowerCase())

const addressIn = (topic: string | undefined): string => contractOf(`0x${String(topic).slice(-40)}`)

const numbersOf = (value: unknown): bigint[] =>
  Array.isArray(value) ? value.map(item => BigInt((item as { value: string }).value)) : [BigInt(String(value))]

const decode = (parameters: typeof one, data: string): bigint[][] =>
  decodeArguments(decodeData(data), parameters).map(({ value }) => numbersOf(value))

const movesOf = ({ address, topics, data }: Log): Move[] => {
  const [event, first, second, third] = topics
  if (event === TRANSFER && topics.length === 4)
    return [
      {
        kind: 'erc721',
        token: contractOf(address),
        id: BigInt(String(third)),
        from: addressIn(first),
        to: addressIn(second),
        amount: 1n,
      },
    ]
  if (event === TRANSFER && topics.length === 3) {
    const [[amount = 0n] = []] = decode(one, data)
    const parties = { id: null, from: addressIn(first), to: addressIn(second), amount }
    return sameAddress(address, CURRENCY)
      ? [{ kind: 'native', token: null, ...parties }]
      : [{ kind: 'erc20', token: contractOf(address), ...parties }]
  }
  if ((event === TRANSFER_SINGLE || event === TRANSFER_BATCH) && topics.length === 4) {
    const [ids = [], amounts = []] = decode(event === TRANSFER_SINGLE ? pair : lists, data)
    const parties = { token: contractOf(address), from: addressIn(second), to: addressIn(third) }
    return ids.map((id, at) => ({ kind: 'erc1155', ...parties, id, amount: amounts[at] ?? 0n }))
  }
  return []
}

/** Decodes the transfers in a log. Empty if it is malformed. */
const movesIn = (log: Log): Move[] => {
  try {
    return movesOf(log)
  } catch {
    return []
  }
}

/** Decodes the transfers in logs. Skips malformed logs. */
export const readMoves = (logs: unknown): Move[] => logsIn(logs).flatMap(movesIn)

const HASH_LENGTH = 66

/** Returns a log's position. Null if it is in no block, or if the node does not state the position. */
const minedOf = ({ stated }: Log): Mined | null => {
  const { transactionHash } = stated
  const [block, index] = [plausibleQuantityIn(stated, 'blockNumber'), plausibleQuantityIn(stated, 'logIndex')]
  if (!isHex(transactionHash) || transactionHash.length !== HASH_LENGTH || block === null || index === null) return null
  const seconds = plausibleQuantityIn(stated, 'blockTimestamp')
  const time = seconds === null ? null : momentOf(seconds)
  return { hash: transactionHash.toLowerCase() as Hex, block: Number(block), index: Number(index), time }
}

/** Decodes the transfers in mined logs, with their positions. */
export const readMinedMoves = (logs: readonly Log[]): (Move & { mined: Mined | null })[] =>
  logs.flatMap(log => movesIn(log).map(move => ({ ...move, mined: minedOf(log) })))
