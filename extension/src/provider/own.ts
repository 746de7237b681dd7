/**
 * How the scripts of single sites find this wallet's provider: as any page does, by EIP-6963. They run before the page's
 * own code and are done by then.
 */
import type { Provider } from './provider.ts'

/** The wallet's name in EIP-6963. */
export const RDNS = 'org.heliograph.wallet'

type Announcement = CustomEvent<{ info: { rdns: string }; provider: Provider }>

/** Calls `use` once with the provider, whichever of the two scripts runs first. */
export const withOwnProvider = (page: Window, use: (provider: Provider) => void): void => {
  const hear = (event: Event) => {
    const { info, provider } = (event as Announcement).detail
    if (info.rdns !== RDNS) return
    page.removeEventListener('eip6963:announceProvider', hear)
    use(provider)
  }
  page.addEventListener('eip6963:announceProvider', hear)
  page.dispatchEvent(new Event('eip6963:requestProvider'))
}

/** Says what sites look for that know no other wallet. */
export const showAsMetaMask = (provider: Provider): void => {
  Object.defineProperty(provider, 'isMetaMask', { value: true, enumerable: true, configurable: true })
}

/** Makes the provider window.ethereum, over another wallet too; one that has fixed the property stays. */
export const showAsEthereum = (page: Window, provider: Provider): void => {
  try {
    Object.defineProperty(page, 'ethereum', { value: provider, configurable: true, writable: true, enumerable: true })
  } catch {
    return
  }
  page.dispatchEvent(new Event('ethereum#initialized'))
}
