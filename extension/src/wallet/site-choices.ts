/** How the provider shows itself to a site, where the person chose other than the usual. */
import { createCell, type Store } from './store.ts'

/**
 * `asMetaMask` lets the provider say `isMetaMask`, which sites ask for that know no other wallet. `asEthereum` makes it
 * window.ethereum also where another wallet is.
 */
export type SiteChoice = { origin: string; asMetaMask: boolean; asEthereum: boolean }

export type SiteChoices = {
  list(): Promise<readonly SiteChoice[]>
  /** Keeps the choice; one that is as usual is forgotten. Resolves with all that are kept. */
  set(choice: SiteChoice): Promise<readonly SiteChoice[]>
}

export const createSiteChoices = (store: Store): SiteChoices => {
  const cell = createCell<readonly SiteChoice[]>(store, 'site-choices', [])
  return {
    list: cell.read,
    set: choice =>
      cell.update(choices => [
        ...choices.filter(({ origin }) => origin !== choice.origin),
        ...(choice.asMetaMask || choice.asEthereum ? [choice] : []),
      ]),
  }
}
