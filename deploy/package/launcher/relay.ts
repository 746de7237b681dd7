/**
 * Entry point of the package heliograph-relay. The server is a separate script, because older versions of Node cannot
 * load it.
 */
import { startWith } from './start.ts'

startWith('heliograph-relay', () => import('./serve-relay.ts'))
