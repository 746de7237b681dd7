/**
 * Makes this provider window.ethereum, even beside another wallet. Runs only on sites for which the user chose this.
 */
import { showAsEthereum, withOwnProvider } from './provider/own.ts'

withOwnProvider(window, provider => showAsEthereum(window, provider))
