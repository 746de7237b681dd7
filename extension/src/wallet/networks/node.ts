/** The JSON-RPC client for the network's own nodes, over HTTP: https://ethereum.org/developers/docs/apis/json-rpc/ */
import { errorCodes, RpcError } from '@heliograph/shared/errors'
import type { Network } from '@heliograph/shared/network'
import { encodeRequest } from '@heliograph/shared/wire/json-rpc'
import { rpcError } from '../text/errors.ts'
import { isRateLimit, LARGEST_ANSWER, type Outcome, readAnswer, readAnswers } from './answers.ts'
import { createFailover } from './failover.ts'
import { nodeHost, onlyNode, urlsFor } from './node-uses.ts'
import { toQuantity, Unreadable } from './quantities.ts'

/** A JSON-RPC call to a node. It may be part of a batch. */
export type Question = { method: string; params: readonly unknown[] }
/** Parses a result. Throws Unreadable. */
export type Read<T> = (result: unknown) => T

/**
 * Queries the network's nodes, moving to the next one if a node is unreachable or limits the rate. Throws a node's own
 * error, or 4901 if no node is reachable or none was chosen.
 */
export type Chain = {
  (network: Network, method: string, params?: readonly unknown[]): Promise<unknown>
  /** Sends several calls in one request if the node supports it. Returns an outcome for each, in order. Throws 4901. */
  all?(network: Network, questions: readonly Question[]): Promise<readonly Outcome[]>
  /**
   * Queries and parses the result. A node whose result is unreadable counts as unreachable: the next node is queried,
   * and after the last one, the 4901 error names the node's host and quotes its result.
   */
  read?<T>(network: Network, question: Question, read: Read<T>): Promise<T>
  /** Returns a client for the same nodes. Its calls throw 4901 once the signal is aborted. */
  until?(signal: AbortSignal): Chain
}

/** Timeout of a request to a node, in ms. */
export const NODE_TIMEOUT = 20_000
/** Timeout of a request to a node, in ms, if another node can be queried instead. */
export const NODE_PATIENCE = 8_000
/**
 * Methods that go to another node only if a node refuses before processing them. A node that does not respond may have
 * sent the transaction, and another node's refusal would then prove nothing: see transactions/broadcast.ts.
 */
const SENDS: ReadonlySet<string> = new Set(['eth_sendRawTransaction'])
/** Maximum number of calls in a batch: nodes accept 100 and more. */
export const BATCH_SIZE = 100
/** Maximum number of concurrent requests to a node that does not support batches. */
const AT_ONCE = 5

const FIRST_ID = 1

/** Sends JSON text to a URL and returns the response's text. Rejects when the signal is aborted. */
export type Post = (url: string, body: string, signal?: AbortSignal) => Promise<string>

/** Reads a response's text. Stops soon after `most` characters; the caller then refuses the text as too long. */
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
 * Returns a function that posts with the platform's fetch, without cookies and cache. Does not follow redirects,
 * because the user chose only that host. Throws for status 429. With any other status, the body may be the node's own
 * error.
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
    return readText(response, LARGEST_ANSWER)
  }

/** True if the node was unreachable or its response unreadable. The node may still have executed the call. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof RpcError && error.code === errorCodes.chainDisconnected[0]

/** True if the node refused the call before processing it, because of a rate limit. */
const isTurnedAway = (error: unknown): boolean =>
  isRateLimit(error) || (error instanceof RpcError && error.reason === 'nodeRateLimited')

/**
 * True if the node cannot answer at the moment: it is unreachable, its response is unreadable, or it limits the rate.
 */
export const isUnavailable = (error: unknown): boolean => isUnreachable(error) || isRateLimit(error)

/** Reasons of 4901 errors for nodes whose response was unreadable. */
const UNREADABLE: ReadonlySet<string> = new Set(['nodeNotJsonRpc', 'nodeUnreadable'])

/** True if the node did not respond at all. A node with an unreadable response may still answer other calls. */
export const isSilent = (error: unknown): boolean =>
  error instanceof RpcError && isUnreachable(error) && !UNREADABLE.has(error.reason)

/** True if the node refused this call, with an error or an unreadable response, and may answer others. */
export const isRefusal = (error: unknown): error is RpcError =>
  error instanceof RpcError && !isSilent(error) && !isRateLimit(error)

/** Maximum characters of a node's result that an error quotes. */
const LONGEST_QUOTE = 100

/** Parses a node's result. Throws 4901 if it is unreadable. */
const readResult = <T>(network: Network, url: string, { method }: Question, read: Read<T>, result: unknown): T => {
  try {
    return read(result)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const answer = (JSON.stringify(error.answer) ?? 'null').slice(0, LONGEST_QUOTE)
    throw rpcError('chainDisconnected', 'nodeUnreadable', {
      network: network.title,
      node: nodeHost(url),
      method,
      answer,
    })
  }
}

/** Groups calls by the nodes that they go to: a batch names only accounts that use the same nodes. */
const groupByUrls = (
  network: Network,
  questions: readonly Question[],
): readonly { urls: readonly string[]; asked: readonly Question[] }[] => {
  const groups = new Map<string, { urls: readonly string[]; asked: Question[] }>()
  for (const question of questions) {
    const urls = urlsFor(network, question.params, 'read')
    const group = groups.get(urls.join(' '))
    if (group) group.asked.push(question)
    else groups.set(urls.join(' '), { urls, asked: [question] })
  }
  return [...groups.values()]
}

const outcomeOf = async (asking: Promise<unknown>): Promise<Outcome> => {
  try {
    return { result: await asking }
  } catch (error) {
    if (!(error instanceof RpcError) || isSilent(error)) throw error
    return { error }
  }
}

const errorsIn = (outcomes: readonly Outcome[]): RpcError[] =>
  outcomes.flatMap(outcome => ('error' in outcome ? [outcome.error] : []))

/** Splits a list into rows of at most `size`. */
export const rowsOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, row) => all.slice(row * size, (row + 1) * size))

/** Sends single requests, a few at a time. Throws 4901 if no response is readable. */
const askOneByOne = async (chain: Chain, network: Network, questions: readonly Question[]): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  for (const row of rowsOf(questions, AT_ONCE))
    outcomes.push(...(await Promise.all(row.map(({ method, params }) => outcomeOf(chain(network, method, params))))))
  const unreadable = errorsIn(outcomes).filter(isUnreachable)
  if (unreadable[0] && unreadable.length === outcomes.length) throw unreadable[0]
  return outcomes
}

/** Returns the same client, whose calls throw 4901 once the signal is aborted. */
export const chainUntil = (chain: Chain, signal: AbortSignal): Chain => chain.until?.(signal) ?? chain

/** Sends several calls. Returns an outcome for each, in order. Throws 4901. */
export const askAll = (chain: Chain, network: Network, questions: readonly Question[]): Promise<readonly Outcome[]> =>
  chain.all ? chain.all(network, questions) : askOneByOne(chain, network, questions)

/** Creates a client. `patience` is in ms: see NODE_PATIENCE. */
export const createChain = (post: Post = postWithin(NODE_TIMEOUT), patience = NODE_PATIENCE): Chain => {
  let nextId = FIRST_ID
  const notJsonRpc = ({ title }: Network) => rpcError('chainDisconnected', 'nodeNotJsonRpc', { network: title })
  const failover = createFailover()
  /** URLs of nodes that do not support batches. */
  const single = new Set<string>()

  const connect = (signal?: AbortSignal): Chain => {
    /**
     * Queries nodes in turn while their errors are `passable`. Returns the outcomes of the last node that was queried,
     * or throws its error. `longest` is the timeout in ms of all nodes but the last.
     */
    const askInTurn = async (
      urls: readonly string[],
      ask: (url: string, until: AbortSignal | undefined) => Promise<readonly Outcome[]>,
      passable = isUnavailable,
      longest = patience,
    ): Promise<readonly Outcome[]> => {
      for (const [at, url] of urls.entries()) {
        const isLast = at === urls.length - 1
        const limits = [...(signal ? [signal] : []), ...(isLast ? [] : [AbortSignal.timeout(longest)])]
        try {
          const outcomes = await ask(url, limits.length > 0 ? AbortSignal.any(limits) : undefined)
          const errors = errorsIn(outcomes)
          if (errors.some(isUnavailable)) failover.failed(url)
          else failover.answered(url)
          if (isLast || !errors.some(passable)) return outcomes
        } catch (error) {
          if (signal?.aborted || !isUnreachable(error)) throw error
          failover.failed(url)
          if (isLast || !passable(error)) throw error
        }
      }
      throw rpcError('internal')
    }

    const send = async (network: Network, url: string, body: string, until: AbortSignal | undefined): Promise<string> =>
      post(url, body, until).catch(error => {
        const reason = error instanceof TooManyRequests ? 'nodeRateLimited' : 'nodeUnreachable'
        throw rpcError('chainDisconnected', reason, { network: network.title })
      })

    const askNode =
      (url: string, until: AbortSignal | undefined): Chain =>
      async (network, method, params = []) => {
        const id = nextId++
        const outcome = readAnswer(await send(network, url, encodeRequest(id, method, params), until), id)
        if (!outcome) throw notJsonRpc(network)
        if ('error' in outcome) throw outcome.error
        return outcome.result
      }

    const read = async <T>(network: Network, question: Question, toValue: Read<T>): Promise<T> => {
      const isSending = SENDS.has(question.method)
      const urls = failover.order(urlsFor(network, question.params, isSending ? 'send' : 'read'))
      const values: T[] = []
      const askOne = async (url: string, until: AbortSignal | undefined): Promise<readonly Outcome[]> => {
        const answered = await outcomeOf(askNode(url, until)(network, question.method, question.params))
        if ('result' in answered) values.push(readResult(network, url, question, toValue, answered.result))
        return [answered]
      }
      const [outcome] = isSending
        ? await askInTurn(urls, askOne, isTurnedAway, NODE_TIMEOUT)
        : await askInTurn(urls, askOne)
      if (outcome && 'error' in outcome) throw outcome.error
      return values.at(-1) as T
    }

    const ask: Chain = (network, method, params = []) => read(network, { method, params }, result => result)

    /** Sends a batch. Undefined if the node does not answer each call in it. */
    const askBatch = async (
      network: Network,
      url: string,
      questions: readonly Question[],
      until: AbortSignal | undefined,
    ): Promise<readonly Outcome[] | undefined> => {
      const ids = questions.map(() => nextId++)
      const frames = questions.map(({ method, params }, at) => encodeRequest(ids[at] ?? 0, method, params))
      return readAnswers(await send(network, url, `[${frames.join(',')}]`, until), ids)
    }

    const askRow = async (
      network: Network,
      url: string,
      row: readonly Question[],
      until: AbortSignal | undefined,
    ): Promise<readonly Outcome[]> => {
      const together = row.length > 1 && !single.has(url) ? await askBatch(network, url, row, until) : undefined
      if (together === undefined && row.length > 1) single.add(url)
      return together ?? askOneByOne(askNode(url, until), network, row)
    }

    /** Sends calls to the same nodes. */
    const askRows = async (
      network: Network,
      urls: readonly string[],
      questions: readonly Question[],
    ): Promise<Outcome[]> => {
      const outcomes: Outcome[] = []
      for (const row of rowsOf(questions, BATCH_SIZE))
        outcomes.push(...(await askInTurn(failover.order(urls), (url, until) => askRow(network, url, row, until))))
      return outcomes
    }

    const all = async (network: Network, questions: readonly Question[]): Promise<Outcome[]> => {
      const groups = groupByUrls(network, questions)
      const [only] = groups
      if (only && groups.length === 1) return askRows(network, only.urls, questions)
      const answers = await Promise.allSettled(groups.map(({ urls, asked }) => askRows(network, urls, asked)))
      const failed = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason] : []))
      // One account's nodes may be unreachable while the other accounts' nodes respond.
      if (failed.length > 0 && (failed.length === answers.length || !failed.every(isUnreachable))) throw failed[0]
      const found = new Map<Question, Outcome>()
      for (const [group, answer] of answers.entries())
        for (const [at, question] of (groups[group]?.asked ?? []).entries()) {
          const outcome = answer.status === 'fulfilled' ? answer.value[at] : { error: answer.reason }
          if (outcome) found.set(question, outcome)
        }
      return questions.flatMap(question => found.get(question) ?? [])
    }

    const until = (own: AbortSignal) => connect(signal ? AbortSignal.any([signal, own]) : own)
    return Object.assign(ask, { all, read, until })
  }

  return connect()
}

/** Sends a call and parses the result. Throws the node's errors, and 4901 if the result is unreadable. */
export const askAs = async <T>(chain: Chain, network: Network, question: Question, read: Read<T>): Promise<T> => {
  if (chain.read) return chain.read(network, question, read)
  const [url = ''] = network.rpcUrls
  return readResult(network, url, question, read, await chain(network, question.method, question.params))
}

/** Reads a number. Throws like `askAs`. */
export const askQuantity = (
  chain: Chain,
  network: Network,
  method: string,
  params: readonly unknown[] = [],
): Promise<bigint> => askAs(chain, network, { method, params }, toQuantity)

/** Checks a node's chain id. Throws 4901 if it does not respond, -32602 if it is on another chain. */
export const assertReports = async (chain: Chain, network: Network, url: string): Promise<void> => {
  const reported = await askQuantity(chain, onlyNode(network, url), 'eth_chainId')
  if (reported !== BigInt(network.chainId))
    throw rpcError('invalidParams', 'rpcOtherChain', { reported: String(reported), wanted: network.chainId })
}
