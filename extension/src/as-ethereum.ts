/** For sites where the user chose it: makes this provider window.ethereum, even beside another wallet. */
import { showAsEthereum, withOwnProvider } from './provider/own.ts'

withOwnProvider(window, provider => showAsEthereum(window, provider))
