/** The onboarding tab, in which a wallet is created or imported. */
import '../hardening/first.ts'
import { connectUi } from '../browser/ui-port.ts'
import Onboarding from './screens/onboarding/Onboarding.svelte'
import { start } from './start.ts'

start(Onboarding, connectUi)
