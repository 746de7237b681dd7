/**
 * Changes how the provider appears to a site. Scripts that are registered for single sites find the provider by
 * EIP-6963, and run before the page's own code.
 */
import type { Provider } from './provider.ts'

/** The wallet's `rdns` in EIP-6963. */
export const RDNS = 'org.heliograph.wallet'

type Announcement = CustomEvent<{ info: { rdns: string }; provider: Provider }>

/** Calls `use` once with the provider, even if the provider's script runs after this one. */
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

/** Sets the flag by which sites without EIP-6963 recognize MetaMask. */
export const showAsMetaMask = (provider: Provider): void => {
  Object.defineProperty(provider, 'isMetaMask', { value: true, enumerable: true, configurable: true, writable: true })
}

/** Sets window.ethereum, replacing another wallet unless that has made the property read-only. */
export const showAsEthereum = (page: Window, provider: Provider): void => {
  try {
    Object.defineProperty(page, 'ethereum', { value: provider, configurable: true, writable: true, enumerable: true })
  } catch {
    return
  }
  page.dispatchEvent(new Event('ethereum#initialized'))
}
