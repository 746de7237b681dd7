/** The JSON-RPC client of the network's own node, over HTTP: https://ethereum.org/developers/docs/apis/json-rpc/ */
import { errorCodes, RpcError, rpcError } from '@heliograph/shared/errors'
import { toQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { decode, encodeRequest } from '@heliograph/shared/wire/json-rpc'

/** Asks the network's node. Throws the node's own error, or 4901 when it cannot be reached or was never chosen. */
export type Chain = (network: Network, method: string, params?: readonly unknown[]) => Promise<unknown>

/** How long a node may take, in ms. */
export const NODE_TIMEOUT = 20_000
/** The largest answer taken from a node, in characters, and how deep it may nest: traces are deep, bombs are deeper. */
const ANSWER_LIMITS = { size: 32 << 20, depth: 256, batch: 1 }

const FIRST_ID = 1

/** `post` sends a JSON text to a URL and returns the text that comes back. */
export type Post = (url: string, body: string) => Promise<string>

/** Posts with the platform's fetch: no cookies, no cache, no redirects, since the person chose that host and no other. */
export const postWithin =
  (timeout: number): Post =>
  async (url, body) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeout),
    })
    return response.text()
  }

/** Whether the node could not be asked, or what it said could not be understood: it may have done what it was asked. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof RpcError && error.code === errorCodes.chainDisconnected[0]

export const createChain = (post: Post = postWithin(NODE_TIMEOUT)): Chain => {
  let nextId = FIRST_ID
  return async (network, method, params = []) => {
    if (network.rpcUrl === undefined)
      throw rpcError('chainDisconnected', `${network.title} has no RPC URL yet. Choose one in the wallet's settings.`)
    const id = String(nextId++)
    const text = await post(network.rpcUrl, encodeRequest(id, method, params)).catch(() => {
      throw rpcError('chainDisconnected', `Cannot reach the ${network.title} RPC`)
    })
    const answer = decode(text, ANSWER_LIMITS)
    if (answer.kind !== 'response' || answer.id !== id)
      throw rpcError('chainDisconnected', `The ${network.title} RPC gave an answer that is not JSON-RPC`)
    if ('error' in answer) throw new RpcError(answer.error.code, answer.error.message, answer.error.data)
    return answer.result
  }
}

/** Asks for a QUANTITY. A node that answers something else counts as out of reach: 4901. */
export const askQuantity = async (
  chain: Chain,
  network: Network,
  method: string,
  params: readonly unknown[] = [],
): Promise<bigint> => toNodeQuantity(network, method, await chain(network, method, params))

/** A QUANTITY from a node's answer. Throws 4901. */
export const toNodeQuantity = (network: Network, place: string, value: unknown): bigint => {
  try {
    return toQuantity(value, place)
  } catch {
    throw rpcError('chainDisconnected', `The ${network.title} RPC gave no number for ${place}`)
  }
}
