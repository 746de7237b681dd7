/** Test nodes, and their errors as the wallet's client throws them. */
import { type ErrorName, errorCodes, RpcError, type RpcErrorObject } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import { rpcError } from '../text/errors.ts'
import { nodeError } from './answers.ts'
import { localChain } from './networks.fixture.ts'
import type { Chain, Post } from './node.ts'

/** Creates an error that the node returned. The default message is the code's standard message. */
export const refusal = (name: ErrorName, message: string = errorCodes[name][1], data?: unknown): RpcError =>
  nodeError({ code: errorCodes[name][0], message, data })

/** Creates the error for an unreachable node. */
export const unreachable = (): RpcError => rpcError('chainDisconnected', 'nodeUnreachable', { network: 'Kaia' })

/** A JSON-RPC request, and the usual response to it. */
export type Frame = { id: number; method: string; params: readonly unknown[] }
export type Reply = { jsonrpc: string; id: number } & ({ result: unknown } | { error: RpcErrorObject })

/** Serializes a response as JSON text. */
export type Spelling = (reply: Reply, frame: Frame) => string

const replyOf = async (asking: Promise<unknown>, id: number): Promise<Reply> => {
  try {
    return { jsonrpc: '2.0', id, result: await asking }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return { jsonrpc: '2.0', id, error: error.toJSON() }
  }
}

/** Creates a node over HTTP that answers like this chain, but serializes its responses with `spell`. */
export const postOf =
  (chain: Chain, spell: Spelling = reply => JSON.stringify(reply), network: Network = localChain): Post =>
  async (_url, body) => {
    const read: Frame | Frame[] = JSON.parse(body)
    const answer = async (frame: Frame) =>
      spell(await replyOf(chain(network, frame.method, frame.params), frame.id), frame)
    return Array.isArray(read) ? `[${await Promise.all(read.map(answer))}]` : answer(read)
  }
