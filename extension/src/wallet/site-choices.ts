/** How the wallet treats a site, where the person chose other than the usual. */
import { createCell, type Store } from './store.ts'

/**
 * `asMetaMask` lets the provider say `isMetaMask`, which sites ask for that know no other wallet. `asEthereum` makes it
 * window.ethereum also where another wallet is. `readsLocalNode` lets the site read from a node in a private network
 * although it is not connected.
 */
export type SiteChoice = { origin: string; asMetaMask: boolean; asEthereum: boolean; readsLocalNode: boolean }

export type SiteChoices = {
  list(): Promise<readonly SiteChoice[]>
  /** Changes what is named of a site's choice; one that is as usual is forgotten. Resolves with all that are kept. */
  change(origin: string, change: Partial<Omit<SiteChoice, 'origin'>>): Promise<readonly SiteChoice[]>
  forget(origin: string): Promise<readonly SiteChoice[]>
}

const USUAL = { asMetaMask: false, asEthereum: false, readsLocalNode: false }

export const createSiteChoices = (store: Store): SiteChoices => {
  const cell = createCell<readonly SiteChoice[]>(store, 'site-choices', [])
  const without = (choices: readonly SiteChoice[], origin: string) => choices.filter(site => site.origin !== origin)
  return {
    list: cell.read,
    change: (origin, change) =>
      cell.update(choices => {
        const choice = { ...USUAL, origin, ...choices.find(site => site.origin === origin), ...change }
        const isUsual = !choice.asMetaMask && !choice.asEthereum && !choice.readsLocalNode
        return [...without(choices, origin), ...(isUsual ? [] : [choice])]
      }),
    forget: origin => cell.update(choices => without(choices, origin)),
  }
}
