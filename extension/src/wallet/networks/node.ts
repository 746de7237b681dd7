/** The JSON-RPC client of the network's own node, over HTTP: https://ethereum.org/developers/docs/apis/json-rpc/ */
import { errorCodes, RpcError, type RpcErrorObject } from '@heliograph/shared/errors'
import { decodeQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { decodeJsonRpc, encodeRequest } from '@heliograph/shared/wire/json-rpc'
import { answeredError, rpcError } from '../text/errors.ts'
import { createFailover } from './failover.ts'

/** A JSON-RPC call to a node, possibly one of a batch. */
export type Question = { method: string; params: readonly unknown[] }
/** Result of a call. */
export type Outcome = { result: unknown } | { error: RpcError }

/**
 * Asks the network's nodes, the next one if one cannot be reached or limits the rate. Throws a node's own error, or 4901
 * when none can be reached or none was chosen.
 */
export type Chain = {
  (network: Network, method: string, params?: readonly unknown[]): Promise<unknown>
  /** Asks several things in one message if the node supports it: an outcome for each, in order. Throws 4901. */
  all?(network: Network, questions: readonly Question[]): Promise<readonly Outcome[]>
  /** The same node, whose calls end with 4901 when the signal aborts. */
  until?(signal: AbortSignal): Chain
}

/** How long a node may take, in ms. */
export const NODE_TIMEOUT = 20_000
/** How long a node may take, in ms, if another one can be asked instead. */
export const NODE_PATIENCE = 8_000
/**
 * Methods that only one node is asked for. A node that does not answer may have sent the transaction, and the refusal by
 * another node would then say nothing about it: see transactions/broadcast.ts.
 */
const SENDS: ReadonlySet<string> = new Set(['eth_sendRawTransaction'])
/** The largest answer taken from a node, in characters, and how deep it may nest: traces are deep, bombs are deeper. */
const ANSWER_LIMITS = { size: 32 << 20, depth: 256, batch: 100 }
/** Questions in one message: nodes take 100 and more. */
export const BATCH_SIZE = 100
/** Questions that are under way at the same time with a node that takes one in a message. */
const AT_ONCE = 5

const FIRST_ID = 1

/** Sends a JSON text to a URL and returns the text that comes back. Ends when the signal aborts. */
export type Post = (url: string, body: string, signal?: AbortSignal) => Promise<string>

/** The text of an answer. Stops soon after `most` characters; the text is then refused as too long. */
export const readText = async ({ body }: Response, most: number): Promise<string> => {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const parts: string[] = []
  for (let length = 0; reader && length <= most; ) {
    const { done, value } = await reader.read()
    if (done) return parts.join('')
    parts.push(value)
    length += value.length
  }
  await reader?.cancel()
  return parts.join('')
}

/** Thrown for HTTP status 429. */
class TooManyRequests extends Error {}

/**
 * Posts with the platform's fetch: no cookies, no cache, and no redirects, because the person chose only that host. Throws
 * for status 429. Nodes send their own errors with any other status.
 */
export const postWithin =
  (timeout: number): Post =>
  async (url, body, aborted) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(aborted ? [aborted] : [])]),
    })
    if (response.status === 429) throw new TooManyRequests()
    return readText(response, ANSWER_LIMITS.size)
  }

/** True if the node was unreachable or its response unreadable. It may still have executed the call. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof RpcError && error.code === errorCodes.chainDisconnected[0]

/** The node's own error, which sites get unchanged. */
export const nodeError = (error: RpcErrorObject): RpcError => answeredError(error, 'nodeAnswered')

/** True for -32005: the node refuses for now, or refuses that much at once, and another node may not. */
const isRateLimit = (outcome: Outcome): boolean =>
  'error' in outcome && outcome.error.code === errorCodes.limitExceeded[0]

const requireUrls = (network: Network): readonly string[] => {
  if (network.rpcUrls.length > 0) return network.rpcUrls
  throw rpcError('chainDisconnected', 'noRpcUrl', { network: network.title })
}

const outcomeOf = async (asking: Promise<unknown>): Promise<Outcome> => {
  try {
    return { result: await asking }
  } catch (error) {
    if (isUnreachable(error) || !(error instanceof RpcError)) throw error
    return { error }
  }
}

/** Splits a list into rows of at most `size`. */
export const rowsOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, row) => all.slice(row * size, (row + 1) * size))

/** Asks one by one, a few at a time. */
const askOneByOne = async (chain: Chain, network: Network, questions: readonly Question[]): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  for (const row of rowsOf(questions, AT_ONCE))
    outcomes.push(...(await Promise.all(row.map(({ method, params }) => outcomeOf(chain(network, method, params))))))
  return outcomes
}

/** The same node, for as long as the signal lets it be asked. */
export const chainUntil = (chain: Chain, signal: AbortSignal): Chain => chain.until?.(signal) ?? chain

/** Asks several things, an outcome for each, in order. Throws 4901. */
export const askAll = (chain: Chain, network: Network, questions: readonly Question[]): Promise<readonly Outcome[]> =>
  chain.all ? chain.all(network, questions) : askOneByOne(chain, network, questions)

/** `patience` is in ms, see NODE_PATIENCE. */
export const createChain = (post: Post = postWithin(NODE_TIMEOUT), patience = NODE_PATIENCE): Chain => {
  let nextId = FIRST_ID
  const failover = createFailover()
  /** Nodes that take one question in a message. */
  const single = new Set<string>()

  const connect = (signal?: AbortSignal): Chain => {
    /**
     * Asks nodes in turn until one answers and does not limit the rate. The answer of the last one is returned as it is,
     * and its error is thrown.
     */
    const askInTurn = async (
      urls: readonly string[],
      ask: (url: string, until: AbortSignal | undefined) => Promise<readonly Outcome[]>,
    ): Promise<readonly Outcome[]> => {
      for (const [at, url] of urls.entries()) {
        const isLast = at === urls.length - 1
        const limits = [...(signal ? [signal] : []), ...(isLast ? [] : [AbortSignal.timeout(patience)])]
        try {
          const outcomes = await ask(url, limits.length > 0 ? AbortSignal.any(limits) : undefined)
          const isLimited = outcomes.some(isRateLimit)
          if (isLimited) failover.failed(url)
          else failover.answered(url)
          if (isLast || !isLimited) return outcomes
        } catch (error) {
          if (signal?.aborted || !isUnreachable(error)) throw error
          failover.failed(url)
          if (isLast) throw error
        }
      }
      throw rpcError('internal')
    }

    const send = async (network: Network, url: string, body: string, until: AbortSignal | undefined) => {
      const text = await post(url, body, until).catch(error => {
        const reason = error instanceof TooManyRequests ? 'nodeRateLimited' : 'nodeUnreachable'
        throw rpcError('chainDisconnected', reason, { network: network.title })
      })
      return decodeJsonRpc(text, ANSWER_LIMITS)
    }

    const askNode =
      (url: string, until: AbortSignal | undefined): Chain =>
      async (network, method, params = []) => {
        const id = String(nextId++)
        const answer = await send(network, url, encodeRequest(id, method, params), until)
        if (answer.kind !== 'response' || answer.id !== id)
          throw rpcError('chainDisconnected', 'nodeNotJsonRpc', { network: network.title })
        if ('error' in answer) throw nodeError(answer.error)
        return answer.result
      }

    const ask: Chain = async (network, method, params = []) => {
      const urls = failover.order(requireUrls(network))
      const inTurn = SENDS.has(method) ? urls.slice(0, 1) : urls
      const [outcome] = await askInTurn(inTurn, (url, until) =>
        askOneByOne(askNode(url, until), network, [{ method, params }]),
      )
      if (outcome === undefined) throw rpcError('internal')
      if ('error' in outcome) throw outcome.error
      return outcome.result
    }

    /** Null from a node that does not answer each question of a message. */
    const askBatch = async (
      network: Network,
      url: string,
      questions: readonly Question[],
      until: AbortSignal | undefined,
    ): Promise<Outcome[] | null> => {
      const asked = questions.map(question => ({ ...question, id: String(nextId++) }))
      const frames = asked.map(({ id, method, params }) => encodeRequest(id, method, params))
      const answer = await send(network, url, `[${frames.join(',')}]`, until)
      if (answer.kind !== 'batch') return null
      const outcomes = asked.flatMap(({ id }): Outcome[] => {
        const found = answer.items.find(item => item.kind === 'response' && item.id === id)
        if (found?.kind !== 'response') return []
        if (!('error' in found)) return [{ result: found.result }]
        return [{ error: nodeError(found.error) }]
      })
      return outcomes.length === asked.length ? outcomes : null
    }

    const askRow = async (
      network: Network,
      url: string,
      row: readonly Question[],
      until: AbortSignal | undefined,
    ): Promise<Outcome[]> => {
      const together = row.length > 1 && !single.has(url) ? await askBatch(network, url, row, until) : null
      if (together === null && row.length > 1) single.add(url)
      return together ?? askOneByOne(askNode(url, until), network, row)
    }

    const all = async (network: Network, questions: readonly Question[]): Promise<Outcome[]> => {
      const urls = requireUrls(network)
      const outcomes: Outcome[] = []
      for (const row of rowsOf(questions, BATCH_SIZE))
        outcomes.push(...(await askInTurn(failover.order(urls), (url, until) => askRow(network, url, row, until))))
      return outcomes
    }

    return Object.assign(ask, { all, until: connect })
  }

  return connect()
}

/** Asks for a QUANTITY. A node that answers something else counts as out of reach: 4901. */
export const askQuantity = async (
  chain: Chain,
  network: Network,
  method: string,
  params: readonly unknown[] = [],
): Promise<bigint> => toNodeQuantity(network, method, await chain(network, method, params))

/** Asks a node for its chain id. Throws 4901 if it does not answer, -32602 if it is on another chain. */
export const assertReports = async (chain: Chain, network: Network, url: string): Promise<void> => {
  const reported = await askQuantity(chain, { ...network, rpcUrls: [url] }, 'eth_chainId')
  if (reported !== BigInt(network.chainId))
    throw rpcError('invalidParams', 'rpcOtherChain', { reported: String(reported), wanted: network.chainId })
}

/** A QUANTITY from a node's answer. Throws 4901. */
export const toNodeQuantity = (network: Network, place: string, value: unknown): bigint => {
  try {
    return decodeQuantity(value, place)
  } catch {
    throw rpcError('chainDisconnected', 'nodeNoNumber', { network: network.title, place })
  }
}
