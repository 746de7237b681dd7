/** UI methods for sites: networks, settings, and disconnecting. */
import { sameAddress } from '@heliograph/shared/evm/address'
import { encodeQuantity } from '@heliograph/shared/evm/hex'
import { parseUrl } from '@heliograph/shared/url'
import { allowancesOfSite } from '../allowances/of-site.ts'
import { accountsOf } from '../keys/keyring.ts'
import { REVOKED } from '../requests/desk.ts'
import type { WalletRequest } from '../requests/store.ts'
import { putFirst, siteAccounts } from '../sites/sites.ts'
import { rpcError } from '../text/errors.ts'
import type { Ui, UiParts } from './parts.ts'

export type SitesUi = Pick<
  Ui,
  | 'getActiveSite'
  | 'setSiteNetwork'
  | 'setSiteChoice'
  | 'useAccount'
  | 'withdrawAccount'
  | 'endSubscriptions'
  | 'getSiteAllowances'
  | 'allowRequests'
  | 'disconnectSite'
  | 'removeNetwork'
>

/** Validates a web origin. Throws -32602 if it is not one. */
const toOrigin = (text: string): string => {
  const url = parseUrl(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== text) throw rpcError('invalidParams', 'notSite')
  return text
}

export const createSitesUi = (parts: UiParts): SitesUi => {
  const {
    vault,
    networks,
    choices,
    requests,
    rejections,
    desk,
    activity,
    filters,
    sites,
    subscriptions,
    announce,
    disconnect,
    activeSite,
    onChoices,
  } = parts

  /** Runs a change that may affect sites' networks, and notifies the sites whose network changed. */
  const moving = async (origins: readonly string[], change: () => Promise<void>): Promise<null> => {
    const before = await Promise.all(origins.map(networks.of))
    await change()
    for (const [at, origin] of origins.entries()) {
      const { chainId } = await networks.of(origin)
      if (chainId !== before[at]?.chainId) announce({ event: 'chainChanged', origin, data: encodeQuantity(chainId) })
    }
    return null
  }

  const endSubscriptions = async (origin: string) => {
    await subscriptions.end(origin)
    await filters.forget(origin)
  }

  /** Rejects the site's pending requests that `matches` selects. */
  const withdraw = async (origin: string, matches: (request: WalletRequest) => boolean) => {
    const needless = (await requests.open()).filter(request => request.origin === origin && matches(request))
    await Promise.all(needless.map(({ key }) => desk.end(key, REVOKED)))
  }

  return {
    getActiveSite: activeSite,
    setSiteNetwork: async ({ origin, chainId }) => {
      const site = toOrigin(origin)
      return moving([site], () => networks.choose(site, chainId))
    },
    setSiteChoice: async ({ origin, ...change }) => {
      await onChoices(await choices.change(toOrigin(origin), change))
      if (change.isBlocked) await withdraw(origin, () => true)
      return null
    },
    useAccount: async ({ origin, address }) => {
      const site = toOrigin(origin)
      const account = accountsOf(await vault.read()).find(own => sameAddress(own.address, address))
      if (!account) throw rpcError('invalidParams', 'unknownAccount', { address: address })
      await putFirst(parts, site, account.address)
      await rejections.forget(site)
      return null
    },
    withdrawAccount: async ({ origin, address }) => {
      const site = await sites.get(origin)
      const isWithdrawn = (other: string) => sameAddress(other, address)
      const others = site?.accounts.filter(account => !isWithdrawn(account)) ?? []
      if (!site || others.length === site.accounts.length) return null
      if (others.length === 0) await disconnect(origin)
      else {
        const changed = await sites.connect(origin, others, site.since)
        announce({ origin, event: 'accountsChanged', data: siteAccounts(changed) })
        await withdraw(origin, ({ account }) => account !== null && isWithdrawn(account))
      }
      return null
    },
    endSubscriptions: async ({ origin }) => {
      await endSubscriptions(origin)
      return null
    },
    getSiteAllowances: async ({ origin }) => {
      await vault.read()
      return allowancesOfSite(await activity.list(), origin)
    },
    allowRequests: async ({ origin }) => {
      await rejections.forget(origin)
      return null
    },
    disconnectSite: async ({ origin }) => {
      await disconnect(origin)
      await withdraw(origin, () => true)
      await endSubscriptions(origin)
      await onChoices(await choices.forget(origin))
      return moving([origin], () => networks.choose(origin, null))
    },
    removeNetwork: async ({ chainId }) => {
      if (!networks.isAdded(chainId)) throw rpcError('invalidParams', 'builtInNetwork', { chainId })
      const needless = (await requests.open()).filter(request => request.chainId === chainId)
      await Promise.all(needless.map(({ key }) => desk.end(key)))
      const apart = await networks.sitesApart()
      const before = await networks.selected()
      await moving(apart, () => networks.remove(chainId))
      // Removing the selected network switches to the first one, which also affects the sites that use the wallet's
      // network.
      const { chainId: after } = await networks.selected()
      if (after !== before.chainId) announce({ event: 'chainChanged', except: apart, data: encodeQuantity(after) })
      return null
    },
  }
}
