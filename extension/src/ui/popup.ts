/** The popup of the toolbar button. */
import '../hardening/first.ts'
import { connectUi } from '../browser/ui-port.ts'
import Popup from './screens/home/Popup.svelte'
import { start } from './start.ts'

start(Popup, connectUi)
