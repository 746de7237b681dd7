/** Keeps something that a node tells fresh while it is looked at. */
import { untrack } from 'svelte'

/** `value` is the last that was heard of, `at` when, ms since 1970; both stay while the node cannot be reached. */
export type Watched<T> = {
  readonly value: T | null
  readonly at: number | null
  readonly status: 'loading' | 'fresh' | 'failed'
  retry(): void
}

export type Watch<T> = {
  /** Names what is read: a change of it starts anew. */
  place: () => string
  /** Null where there is nobody to ask. */
  read: () => Promise<T> | null
  /** What was heard before the page was opened: it stands in until the node has answered. */
  kept: () => Promise<{ value: T; at: number } | null>
  /** What changes when the value may have: it is read at once then. */
  news: () => unknown
}

/** Pause between two readings, in ms: about a block of the networks that most use. */
const REFRESH = 5_000

/** Reads at once, then again and again while the page can be seen. Must be called while a component is set up. */
export const watch = <T>({ place, read, kept, news }: Watch<T>): Watched<T> => {
  let value = $state.raw<T | null>(null)
  let at = $state.raw<number | null>(null)
  let status = $state<Watched<T>['status']>('loading')
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
    } catch {
      if (own === round) status = 'failed'
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
  /** A slow node is not asked again before it has answered. */
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
    retry: () => void look(),
  }
}
