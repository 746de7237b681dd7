/** Keeps a balance fresh while it is looked at. */
import { untrack } from 'svelte'

/** `wei` is the last balance heard of, `at` when, ms since 1970; both stay while the node cannot be reached. */
export type Balance = {
  readonly wei: bigint | null
  readonly at: number | null
  readonly status: 'loading' | 'fresh' | 'failed'
  retry(): void
}

/** Pause between two readings, in ms. */
const REFRESH = 15_000

/**
 * Reads at once, then again and again. `place` names what is read, and a change of it starts anew; `read` gives 0x hex,
 * or null where there is nobody to ask. Must be called while a component is set up: the reading ends with it.
 */
export const watchBalance = (place: () => string, read: () => Promise<string> | null): Balance => {
  let wei = $state.raw<bigint | null>(null)
  let at = $state.raw<number | null>(null)
  let status = $state<Balance['status']>('loading')
  let round = 0

  const look = async () => {
    const own = ++round
    try {
      const answer = await read()
      if (answer === null || own !== round) return
      wei = BigInt(answer)
      at = Date.now()
      status = 'fresh'
    } catch {
      if (own === round) status = 'failed'
    }
  }

  const where = $derived(place())
  $effect(() => {
    void where
    wei = null
    at = null
    status = 'loading'
    untrack(look)
    const timer = setInterval(look, REFRESH)
    return () => clearInterval(timer)
  })

  return {
    get wei() {
      return wei
    },
    get at() {
      return at
    },
    get status() {
      return status
    },
    retry: look,
  }
}
