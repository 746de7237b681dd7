/** Polls a value from a node while the page is visible. */
import { untrack } from 'svelte'
import { errorText } from './errors.ts'

/**
 * A watched value. `value` is the last known value, read at `at` (Unix time in ms). Both stay while the node cannot be
 * reached. `error` is the reason of the last failure in the page's language, empty unless the status is `failed`.
 */
export type Watched<T> = {
  readonly value: T | null
  readonly at: number | null
  readonly status: 'loading' | 'fresh' | 'failed'
  readonly error: string
  retry(): void
}

export type Watch<T> = {
  /** Identifies the value. A change of this key clears the value and reads it again. */
  place: () => string
  /** Reads the value; null if there is no node. */
  read: () => Promise<T> | null
  /** Loads the cached value, which is shown until the node has responded. */
  kept: () => Promise<{ value: T; at: number } | null>
  /** A change of the returned value triggers a read at once. */
  news: () => unknown
}

/** Polling interval, in ms: about the block time of common networks. */
const REFRESH = 5_000

/** Reads at once, then polls while the page is visible. Call it during component initialization. */
export const watch = <T>({ place, read, kept, news }: Watch<T>): Watched<T> => {
  let value = $state.raw<T | null>(null)
  let at = $state.raw<number | null>(null)
  let status = $state<Watched<T>['status']>('loading')
  let error = $state('')
  let round = 0
  let isAsking = false

  const look = async () => {
    const own = ++round
    isAsking = true
    try {
      const answer = await read()
      if (answer === null || own !== round) return
      value = answer
      at = Date.now()
      status = 'fresh'
      error = ''
    } catch (failure) {
      if (own !== round) return
      status = 'failed'
      error = errorText(failure)
    } finally {
      if (own === round) isAsking = false
    }
  }
  const standIn = async () => {
    const own = round
    const old = await kept().catch(() => null)
    if (old === null || own !== round || value !== null) return
    value = old.value
    at = old.at
  }
  /** Skips the poll if the previous read has not finished. */
  const lookAgain = () => {
    if (!isAsking && document.visibilityState === 'visible') void look()
  }

  const where = $derived(place())
  const latest = $derived(news())
  $effect(() => {
    void where
    value = null
    at = null
    status = 'loading'
    error = ''
    untrack(() => {
      void look()
      void standIn()
    })
    const timer = setInterval(lookAgain, REFRESH)
    document.addEventListener('visibilitychange', lookAgain)
    return () => {
      round++
      clearInterval(timer)
      document.removeEventListener('visibilitychange', lookAgain)
    }
  })
  let isFirst = true
  $effect(() => {
    void latest
    if (isFirst) isFirst = false
    else untrack(() => void look())
  })

  return {
    get value() {
      return value
    },
    get at() {
      return at
    },
    get status() {
      return status
    },
    get error() {
      return error
    },
    retry: () => void look(),
  }
}
