/** For the sites where the person chose it: the provider says `isMetaMask`. */
import { showAsMetaMask, withOwnProvider } from './provider/own.ts'

withOwnProvider(window, showAsMetaMask)
