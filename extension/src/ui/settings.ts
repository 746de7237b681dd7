/** The settings tab. */
import { firstPort } from '../browser/first-port.ts'
import '../hardening/first.ts'
import { createConnect } from '../browser/ui-port.ts'
import Settings from './screens/settings/Settings.svelte'
import { start } from './start.ts'

start(Settings, createConnect(firstPort))
