/** The popup of the toolbar button. */
import { firstPort } from '../browser/first-port.ts'
import '../hardening/first.ts'
import { createConnect } from '../browser/ui-port.ts'
import Popup from './screens/home/Popup.svelte'
import { start } from './start.ts'

start(Popup, createConnect(firstPort))
