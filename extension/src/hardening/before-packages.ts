/** Hardens the context before any package is evaluated. Imports are evaluated in order. */
import { freezeBuiltIns } from './freeze.ts'
import { refuseInterception } from './interception.ts'
import { watchPresses } from './presses.ts'
import { removeUnusedInterfaces } from './unused-interfaces.ts'

watchPresses()
refuseInterception()
removeUnusedInterfaces()
freezeBuiltIns()
