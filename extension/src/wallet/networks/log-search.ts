/**
 * Searches the logs on a network's node: newest blocks first, in ranges that the node accepts, and without reading a
 * block twice.
 */
import { errorCodes, RpcError } from '@heliograph/shared/errors'
import type { SearchView } from '../../messages.ts'
import type { Progress } from '../work/tasks.ts'
import { isSilent } from './node.ts'

/** The searched blocks, both ends inclusive. If there are none, `to` is less than `from`. */
export type Looked = { from: number; to: number }

/** Returns the searched blocks as the pages show them. */
export const searchView = (looked: Looked): SearchView => ({ ...looked, ended: looked.from === 0 })

/** Blocks per query: initial, minimum and maximum number. */
export const FIRST_RANGE = 10_000
export const LEAST_RANGE = 64
const MOST_RANGE = 500_000
/**
 * Maximum number of queries per search. A long chain needs several searches, each of which continues the previous one.
 */
export const MOST_RANGES = 400

/**
 * `refusal` is the node's error if it refused to search further. `ended` is true if the search reached the first block.
 */
export type SearchEnd = { ended: boolean; refusal: string | null }

/** Bounds of a search: its number of queries, and the number of newest blocks that it may reach. */
export type SearchBounds = { queries: number; blocks: number }

const UNBOUNDED: SearchBounds = { queries: MOST_RANGES, blocks: Infinity }

/** `read` queries a range of blocks. The search stops if `isFull` returns true. */
export type LogSearch<T> = {
  read(range: Looked): Promise<T>
  progress: Progress
  bounds?: SearchBounds
  isFull?(): boolean
}

/** True if the node does not support log queries. A node that only refuses a range gets smaller ranges. */
const isFinal = ({ code }: RpcError): boolean => code === errorCodes.methodNotFound[0]

/**
 * Searches the blocks up to `head` that are not in `looked`, within the bounds: first newer ones, then older ones. Calls `onFound` after
 * each range, so an interrupted search loses nothing. Throws 4901, and errors of `progress` and `onFound`.
 */
export const searchLogs = async <T>(
  { read, progress, bounds = UNBOUNDED, isFull = () => false }: LogSearch<T>,
  head: number,
  looked: Looked,
  onFound: (found: T, looked: Looked) => Promise<void>,
): Promise<SearchEnd> => {
  let { from, to } = looked
  let size = FIRST_RANGE
  let most = MOST_RANGE
  const first = Math.max(0, head + 1 - bounds.blocks)

  /** Queries a range. Returns null if the node refuses it, after reducing the range size. */
  const attempt = async (range: Looked): Promise<{ found: T } | { refusal: string } | null> => {
    try {
      return { found: await read(range) }
    } catch (error) {
      if (!(error instanceof RpcError) || isSilent(error)) throw error
      if (size <= LEAST_RANGE || isFinal(error)) return { refusal: error.message }
      most = Math.max(LEAST_RANGE, Math.floor(size / 2))
      size = most
      return null
    }
  }

  for (let ranges = 0; ranges < bounds.queries; ranges++) {
    const isNew = to < head
    if (!isNew && from <= first) return { ended: from === 0, refusal: null }
    progress(head === 0 ? 0 : (to - from + 1) / (head + 1))
    const range = isNew
      ? { from: to + 1, to: Math.min(head, to + size) }
      : { from: Math.max(first, from - size), to: from - 1 }
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
