/**
 * The account and the network that the popup shows: the wallet's selection, or the account and network that the active
 * tab's site uses. Also the token whose page is open.
 */
import type { AccountView, ActivityView, AssetView, LookView, NetworkView, SiteView, UiState } from '../../messages.ts'

export type Place = { account: AccountView; network: NetworkView }
/** A connected site, and the account and network that it uses. */
export type SitePlace = Place & { site: SiteView }

/** The page of a token, or of the network's currency if `address` is null. */
export type TokenPlace = { address: string | null }

type View = Pick<UiState, 'accounts' | 'selected' | 'networks' | 'chainId' | 'sites'>

/** Returns the site's current account, which is the first that it was given. */
export const siteAccount = ({ accounts: [first] }: SiteView, own: readonly AccountView[]): AccountView | undefined =>
  own.find(({ address }) => address.toLowerCase() === first?.toLowerCase())

/** Returns the wallet's own look for tokens at a place. Null if there was none. */
export const lookAt = (
  looks: readonly LookView[],
  { address, chainId }: { address: string; chainId: number },
): LookView | null =>
  looks.find(one => one.chainId === chainId && one.account.toLowerCase() === address.toLowerCase()) ?? null

/** True if the site was given the account. */
export const hasAccount = ({ accounts }: SiteView, { address }: AccountView): boolean =>
  accounts.some(given => given.toLowerCase() === address.toLowerCase())

/**
 * Returns the account with this address and the network with this chain id. Null if the wallet does not have both, or
 * hides the account.
 */
export const placeAt = (
  { accounts, networks }: Pick<View, 'accounts' | 'networks'>,
  address: string,
  chainId: number,
): Place | null => {
  const account = accounts.find(own => own.address === address)
  const network = networks.find(known => known.chainId === chainId)
  return account && network ? { account, network } : null
}

/** Returns the account and the network selected in the wallet. Null while the wallet has no account. */
export const ownPlace = (view: View): Place | null =>
  placeAt(view, view.selected ?? '', view.chainId) ?? placeAt(view, view.accounts[0]?.address ?? '', view.chainId)

/**
 * Returns the account and the network that the site with this origin uses. Null if the site is not connected, or if the
 * wallet hides its account.
 */
export const sitePlace = (view: View, origin: string | null): SitePlace | null => {
  const site = view.sites.find(known => known.origin === origin)
  const account = site && siteAccount(site, view.accounts)
  const place = account && placeAt(view, account.address, site.chainId ?? view.chainId)
  return place ? { ...place, site } : null
}

export const isSamePlace = (one: Place, other: Place): boolean =>
  one.account.address === other.account.address && one.network.chainId === other.network.chainId

/** Returns the activity of the account on the network. */
export const activityAt = (activity: readonly ActivityView[], { account, network }: Place): readonly ActivityView[] =>
  activity.filter(one => one.chainId === network.chainId && one.account.toLowerCase() === account.address.toLowerCase())

/**
 * Returns what the page of a token shows: the listed token on the network, or null for the network's currency.
 * Undefined if the token is no longer in the user's list, because the page has nothing to show then.
 */
export const assetAt = (
  assets: readonly AssetView[],
  { chainId }: NetworkView,
  { address }: TokenPlace,
): AssetView | null | undefined =>
  address === null
    ? null
    : assets.find(asset => asset.chainId === chainId && asset.address.toLowerCase() === address.toLowerCase())
