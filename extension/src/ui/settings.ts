/** The settings tab. */
import { firstPort } from '../browser/first-port.ts'
import '../hardening/first.ts'
import { createBrowserSettings } from '../browser/browser-settings.ts'
import { createConnect } from '../browser/ui-port.ts'
import Settings from './screens/settings/Settings.svelte'
import { start } from './start.ts'
import { browserSettingsContext } from './state/browser-settings.ts'

start(Settings, createConnect(firstPort), browserSettingsContext(createBrowserSettings()))
