/** Makes the provider available to pages by EIP-6963 and window.ethereum. https://eips.ethereum.org/EIPS/eip-6963 */

import type { OwnPage } from './captured.ts'
import { RDNS, showAsEthereum } from './own.ts'
import type { Provider } from './provider.ts'

const NAME = 'Heliograph'
/** The wallet's logo as a data URL. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14181c"/><path fill="#f7f6f3" d="M7 6h2a1 1 0 0 1 1 1v18a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1Zm16 0h2a1 1 0 0 1 1 1v18a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1Z"/><circle cx="16" cy="16" r="6" fill="#f4c64e"/></svg>',
)}`

/** Returns a random UUID v4 (RFC 9562). crypto.randomUUID is missing on plain http pages. */
const randomUuid = (page: OwnPage): string => {
  const digits = page.randomHex(16)
  const variant = '89ab'.charAt(Number.parseInt(digits.charAt(16), 16) & 3)
  const fields = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`]
  return [...fields, variant + digits.slice(17, 20), digits.slice(20)].join('-')
}

export const announceProvider = (page: OwnPage, provider: Provider): void => {
  const info = Object.freeze({ uuid: randomUuid(page), name: NAME, icon: ICON, rdns: RDNS })
  const detail = Object.freeze({ info, provider })
  const announce = () => page.dispatch('eip6963:announceProvider', detail)
  page.on('eip6963:requestProvider', announce)
  announce()
  // If another wallet has set window.ethereum, it stays. Pages then find Heliograph by EIP-6963.
  if (!('ethereum' in page.self)) showAsEthereum(page.self, provider)
}
