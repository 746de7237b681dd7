/** The settings, which have a tab of their own. */
import '../hardening/first.ts'
import { connectUi } from '../browser/ui-port.ts'
import Settings from './screens/settings/Settings.svelte'
import { start } from './start.ts'

start(Settings, connectUi)
