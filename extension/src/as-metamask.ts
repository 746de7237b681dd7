/** For sites where the user chose it: sets `isMetaMask` on the provider. */
import { showAsMetaMask, withOwnProvider } from './provider/own.ts'

withOwnProvider(window, showAsMetaMask)
