/** Puts the provider into the page: announced by EIP-6963, and as window.ethereum where no other wallet is there. */
import { announceProvider } from './provider/announce.ts'
import { connectWallet } from './provider/connection.ts'
import { createProvider } from './provider/provider.ts'

const provider = createProvider(window, connectWallet(window))

announceProvider(window, provider)
