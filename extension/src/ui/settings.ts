/** The settings tab. */
import '../hardening/first.ts'
import { connectUi } from '../browser/ui-port.ts'
import Settings from './screens/settings/Settings.svelte'
import { start } from './start.ts'

start(Settings, connectUi)
