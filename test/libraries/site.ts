/**
 * A site that uses the wallet through a third-party library, without a browser. The test chooses the user's decisions.
 */
import { vi } from 'vitest'
import type { RequestView } from '../../extension/src/messages.ts'
import { startAnvil } from '../support/anvil.ts'
import { type Actions, type Answer, answerOf, toText } from './actions.ts'
import { type Choice, type Headless, startHeadless } from './headless.ts'
import { OTHER_CHAIN } from './values.ts'

export type LibrarySite = Pick<Headless, 'chain' | 'provider' | 'ui' | 'stop'> & {
  /** Performs an action for which the wallet shows nothing to the user. */
  read(action: string): Promise<Answer>
  /** Performs an action for which the wallet shows one request. Returns the response and the request. */
  ask(action: string, choice: Choice): Promise<Answer & { request: RequestView }>
  /** Reloads the site, which starts the library again. */
  reload(): void
}

/**
 * Starts a site whose library offers `actionsOf`, a wallet with a chain, and another chain that the wallet does not
 * know.
 */
export const startLibrarySite = async (actionsOf: (otherNode: string) => Actions): Promise<LibrarySite> => {
  const other = await startAnvil({ chainId: OTHER_CHAIN })
  const { window, provider, chain, ui, deciding, stop } = await startHeadless()
  // Libraries look for a wallet in this global.
  vi.stubGlobal('window', window)
  let actions = actionsOf(other.url)

  /** Converts values as a page shows them: to JSON. */
  const perform = async (action: string): Promise<Answer> => {
    const act = actions[action]
    if (!act) throw new Error(`the site has no action ${action}`)
    const { state, value } = await answerOf(act)
    return { state, value: JSON.parse(toText(value)) }
  }
  const decide = async (action: string, choice: Choice, most: number) => {
    const { result, shown } = await deciding(choice, () => perform(action))
    if (shown.length !== most) throw new Error(`${action} showed ${shown.length} requests: ${toText(result)}`)
    return { ...result, shown }
  }
  return {
    chain,
    provider,
    ui,
    read: async action => {
      const { state, value } = await decide(action, 'reject', 0)
      return { state, value }
    },
    ask: async (action, choice) => {
      const { state, value, shown } = await decide(action, choice, 1)
      return { state, value, request: shown[0] as RequestView }
    },
    reload: () => {
      actions = actionsOf(other.url)
    },
    stop: async () => {
      await stop()
      await other.stop()
      vi.unstubAllGlobals()
    },
  }
}
