/** The onboarding tab, in which a wallet is created or imported. */
import { firstPort } from '../browser/first-port.ts'
import '../hardening/first.ts'
import { createConnect } from '../browser/ui-port.ts'
import Onboarding from './screens/onboarding/Onboarding.svelte'
import { start } from './start.ts'

start(Onboarding, createConnect(firstPort))
