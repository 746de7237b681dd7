/** The attacker as a process of its own, at the lowest priority: it is to load the server, not those who measure it. */
import { setPriority } from 'node:os'
import { type Attack, attack } from './attacks.ts'

const LOWEST = 19

setPriority(LOWEST)
process.once('disconnect', () => process.exit())
process.once('message', (options: Attack) => attack(options))
