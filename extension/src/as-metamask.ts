/** Sets `isMetaMask` on the provider. Runs only on sites for which the user chose this. */
import { showAsMetaMask, withOwnProvider } from './provider/own.ts'

withOwnProvider(window, showAsMetaMask)
