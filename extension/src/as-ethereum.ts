/** For the sites where the person chose it: the provider is window.ethereum, whatever other wallet is there. */
import { showAsEthereum, withOwnProvider } from './provider/own.ts'

withOwnProvider(window, provider => showAsEthereum(window, provider))
