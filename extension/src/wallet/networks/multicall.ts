/**
 * Reads many values from a network's contracts and accounts with one eth_call to the contract Multicall3, which has the
 * same address on most networks: https://github.com/mds1/multicall3
 */
import { RpcError } from '@heliograph/shared/errors'
import { parseFunction } from '@heliograph/shared/evm/abi'
import { type AbiValue, decodeArguments } from '@heliograph/shared/evm/abi-decode'
import { decodeData } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { Outcome } from './answers.ts'
import { askAll, type Chain, isSilent, type Question, rowsOf } from './node.ts'

/** A value at the latest block: a contract's result for a call, or an account's balance in wei. */
export type Read = { to: string; data: string } | { balanceOf: string }

export const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11'
/** `aggregate3((address target, bool allowFailure, bytes callData)[])` */
const AGGREGATE = '0x82ad56cb'
/** `getEthBalance(address)` */
const GET_BALANCE = '0x4d2301cc'
const { parameters: results } = parseFunction('answer((bool success, bytes data)[] results)')

/**
 * Maximum number of reads in one eth_call. Nodes limit its gas, often to 50 million, and reading a token balance takes
 * up to 50,000.
 */
export const READS_AT_ONCE = 200

const WORD_BYTES = 32
const WORD = 2 * WORD_BYTES
const word = (number: number): string => number.toString(16).padStart(WORD, '0')
const addressWord = (address: string): string => address.slice(2).toLowerCase().padStart(WORD, '0')

const questionOf = (read: Read): Question =>
  'balanceOf' in read
    ? { method: 'eth_getBalance', params: [read.balanceOf, 'latest'] }
    : { method: 'eth_call', params: [{ to: read.to, data: read.data }, 'latest'] }

const callOf = (read: Read): { to: string; data: string } =>
  'balanceOf' in read ? { to: MULTICALL, data: `${GET_BALANCE}${addressWord(read.balanceOf)}` } : read

/**
 * Encodes the tuple of a call that is allowed to fail: its target, `true`, and the offset, length and bytes of its
 * data.
 */
const tupleOf = (read: Read): string => {
  const { to, data } = callOf(read)
  const digits = data.slice(2)
  const padded = digits.padEnd(Math.ceil(digits.length / WORD) * WORD, '0')
  return `${addressWord(to)}${word(1)}${word(3 * WORD_BYTES)}${word(digits.length / 2)}${padded}`
}

const encodeAggregate = (reads: readonly Read[]): string => {
  const tuples = reads.map(tupleOf)
  let offset = tuples.length * WORD_BYTES
  const offsets = tuples.map(tuple => {
    const own = offset
    offset += tuple.length / 2
    return word(own)
  })
  return `${AGGREGATE}${word(WORD_BYTES)}${word(tuples.length)}${offsets.join('')}${tuples.join('')}`
}

const listOf = (value: AbiValue['value'] | undefined): readonly AbiValue[] => (Array.isArray(value) ? value : [])

/** Decodes the results in order, null for failed calls. All are null if the response is not Multicall3's. */
const decodeAggregate = (answer: unknown, count: number): (string | null)[] => {
  const none = Array<null>(count).fill(null)
  try {
    const [list] = decodeArguments(decodeData(answer), results)
    const answers = listOf(list?.value).map(({ value }) => {
      const [success, data] = listOf(value)
      return success?.value === 'true' ? String(data?.value) : null
    })
    return answers.length === count ? answers : none
  } catch {
    return none
  }
}

const aggregate = async (chain: Chain, network: Network, reads: readonly Read[]): Promise<(string | null)[]> => {
  try {
    const answer = await chain(network, 'eth_call', [{ to: MULTICALL, data: encodeAggregate(reads) }, 'latest'])
    return decodeAggregate(answer, reads.length)
  } catch (error) {
    if (!(error instanceof RpcError) || isSilent(error)) throw error
    return reads.map(() => null)
  }
}

/**
 * Reads values in as few requests as the network allows. Returns an outcome for each, in order. Calls that Multicall3
 * did not answer are sent again in a batch: all calls if the network lacks the contract, and the remaining calls after
 * a contract used up the gas. Contracts see Multicall3 as the caller. Throws 4901.
 */
export const readTogether = async (
  chain: Chain,
  network: Network,
  reads: readonly Read[],
): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = []
  for (const row of rowsOf(reads, READS_AT_ONCE)) {
    const answers = row.length > 1 ? await aggregate(chain, network, row) : [null]
    const separately = await askAll(chain, network, row.filter((_, at) => answers[at] === null).map(questionOf))
    let asked = 0
    for (const answer of answers) {
      const outcome = answer === null ? separately[asked++] : { result: answer }
      if (outcome) outcomes.push(outcome)
    }
  }
  return outcomes
}
