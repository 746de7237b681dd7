/** Injects the provider: announces it by EIP-6963, and sets window.ethereum unless another wallet did. */
import { WEB_PAGE_TYPES } from './messages.ts'
import { announceProvider } from './provider/announce.ts'
import { capturePage } from './provider/captured.ts'
import { connectWallet } from './provider/connection.ts'
import { createProvider } from './provider/provider.ts'

if (WEB_PAGE_TYPES.includes(document.contentType)) {
  const page = capturePage(window)
  announceProvider(page, createProvider(page, connectWallet(page)))
}
