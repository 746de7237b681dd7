/**
 * Goes through the logs of a network's node: newest blocks first, in ranges that the node takes, and never the same blocks
 * twice.
 */
import { errorCodes, RpcError } from '@heliograph/shared/errors'
import { isUnreachable } from './chain.ts'
import type { Progress } from './tasks.ts'

/** The blocks that were looked at, both ends among them; `to` is less than `from` while there are none. */
export type Looked = { from: number; to: number }

/** How many blocks are asked about at once, at first, at least and at most. */
export const FIRST_RANGE = 10_000
export const LEAST_RANGE = 64
export const MOST_RANGE = 500_000
/** Ranges of one search: an old chain takes several, each from where the one before ended. */
export const MOST_RANGES = 400

/** `refusal` is what the node said when it would not look further; `ended` says that the first block was reached. */
export type SearchEnd = { ended: boolean; refusal: string | null }

/** `read` asks about the blocks of a range; `isFull` says that no more is to be found for now. */
export type LogSearch<T> = { read(range: Looked): Promise<T>; progress: Progress; isFull?(): boolean }

/** Less is asked of a node that refuses a range; one that has no logs at all is not asked again. */
const isFinal = ({ code }: RpcError): boolean => code === errorCodes.methodNotFound[0]

/**
 * Looks at all blocks up to `head` that are not in `looked`: those that came since, then older ones. `onFound` is told
 * after each range, so that nothing is lost when the search ends early. Throws 4901, what `progress` throws, and what
 * `onFound` throws.
 */
export const searchLogs = async <T>(
  { read, progress, isFull = () => false }: LogSearch<T>,
  head: number,
  looked: Looked,
  onFound: (found: T, looked: Looked) => Promise<void>,
): Promise<SearchEnd> => {
  let { from, to } = looked
  let size = FIRST_RANGE
  let most = MOST_RANGE

  /** Null where the node will not: then less is asked of it. */
  const attempt = async (range: Looked): Promise<{ found: T } | { refusal: string } | null> => {
    try {
      return { found: await read(range) }
    } catch (error) {
      if (isUnreachable(error) || !(error instanceof RpcError)) throw error
      if (size <= LEAST_RANGE || isFinal(error)) return { refusal: error.message }
      most = Math.max(LEAST_RANGE, Math.floor(size / 2))
      size = most
      return null
    }
  }

  for (let ranges = 0; ranges < MOST_RANGES; ranges++) {
    const isNew = to < head
    if (!isNew && from === 0) return { ended: true, refusal: null }
    progress(head === 0 ? 0 : (to - from + 1) / (head + 1))
    const range = isNew
      ? { from: to + 1, to: Math.min(head, to + size) }
      : { from: Math.max(0, from - size), to: from - 1 }
    const answer = await attempt(range)
    if (answer === null) continue
    if ('refusal' in answer) return { ended: false, refusal: answer.refusal }
    if (isNew) to = range.to
    else from = range.from
    await onFound(answer.found, { from, to })
    if (isFull()) break
    size = Math.min(most, size * 2)
  }
  return { ended: to >= head && from === 0, refusal: null }
}
