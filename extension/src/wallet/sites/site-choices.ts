/** The user's settings for individual sites. */
import { createCell, type Store } from '../storage/store.ts'

/**
 * `asMetaMask` sets `isMetaMask`, for sites that support only MetaMask. `asEthereum` makes the provider window.ethereum
 * even if there is another wallet. `readsLocalNode` lets the site read from a node on a private network without being
 * connected. `isBlocked` rejects its requests without showing them.
 */
export type SiteChoice = {
  origin: string
  asMetaMask: boolean
  asEthereum: boolean
  readsLocalNode: boolean
  isBlocked: boolean
}

export type SiteChoices = {
  list(): Promise<readonly SiteChoice[]>
  /** Returns a site's settings. */
  of(origin: string): Promise<SiteChoice>
  /**
   * Changes the given settings of a site. Default settings are not stored. Resolves with the stored settings of all
   * sites.
   */
  change(origin: string, change: Partial<Omit<SiteChoice, 'origin'>>): Promise<readonly SiteChoice[]>
  forget(origin: string): Promise<readonly SiteChoice[]>
}

const USUAL = { asMetaMask: false, asEthereum: false, readsLocalNode: false, isBlocked: false }

export const createSiteChoices = (store: Store): SiteChoices => {
  const cell = createCell<readonly SiteChoice[]>(store, 'site-choices', [])
  const of = (choices: readonly SiteChoice[], origin: string): SiteChoice => ({
    ...USUAL,
    origin,
    ...choices.find(site => site.origin === origin),
  })
  const without = (choices: readonly SiteChoice[], origin: string) => choices.filter(site => site.origin !== origin)
  return {
    list: cell.read,
    of: async origin => of(await cell.read(), origin),
    change: (origin, change) =>
      cell.update(choices => {
        const choice = { ...of(choices, origin), ...change }
        const isUsual = !choice.asMetaMask && !choice.asEthereum && !choice.readsLocalNode && !choice.isBlocked
        return [...without(choices, origin), ...(isUsual ? [] : [choice])]
      }),
    forget: origin => cell.update(choices => without(choices, origin)),
  }
}
