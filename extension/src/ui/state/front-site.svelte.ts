/** Follows the site in the active tab while a page of the wallet is open in front of it or beside it. */
import type { PanelWindow } from '../../messages.ts'
import type { Client } from './client.svelte.ts'
import { useBeside } from './panel-window.ts'

export type FrontSite = {
  /** Origin of the site; null if the active tab shows none. */
  readonly origin: string | null
  /** Resolves once the first origin is known. Never rejects. */
  ready: Promise<void>
}

/** Milliseconds between two checks. A popup stays open while its tab navigates to another site. */
const LOOK_AGAIN = 2_000

/**
 * Checks at once, then again while the page is open. If the first check finds that this page is itself the active tab,
 * there is no site, and the checks stop. A panel follows its own window instead. Call it during component
 * initialization.
 */
export const watchFrontSite = (client: Client): FrontSite => {
  let origin = $state<string | null>(null)
  /** False once the first check has found that this page is itself a tab. */
  let isAhead = true
  const beside = useBeside()

  const look = async () => {
    try {
      const active = await client.call('getActiveSite', null)
      // While a window of the wallet has the focus, no site is active, so the last one is kept.
      if (active) origin = active.origin
      return active !== null
    } catch {
      return true
    }
  }

  const begin = async () => {
    isAhead = await look()
  }
  const follow = (window: PanelWindow) =>
    new Promise<void>(resolve => {
      $effect(() =>
        window.watchSite(active => {
          if (active) origin = active.origin
          resolve()
        }),
      )
    })
  const ready = beside ? follow(beside) : begin()
  $effect(() => {
    if (beside) return
    const timer = setInterval(() => isAhead && void look(), LOOK_AGAIN)
    return () => clearInterval(timer)
  })

  return {
    get origin() {
      return origin
    },
    ready,
  }
}
