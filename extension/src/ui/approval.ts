/** The approval window, in which the user decides requests. */
import { firstPort } from '../browser/first-port.ts'
import '../hardening/first.ts'
import { createConnect } from '../browser/ui-port.ts'
import Approval from './screens/approval/Approval.svelte'
import { start } from './start.ts'

start(Approval, createConnect(firstPort))
