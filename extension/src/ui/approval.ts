/** The approval window, in which the person decides requests. */
import '../hardening/first.ts'
import { connectUi } from '../browser/ui-port.ts'
import Approval from './screens/approval/Approval.svelte'
import { start } from './start.ts'

start(Approval, connectUi)
