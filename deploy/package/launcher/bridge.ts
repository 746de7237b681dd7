/**
 * Entry point of the package heliograph-bridge. The server is a separate script, because older versions of Node cannot
 * load it.
 */
import { startWith } from './start.ts'

startWith('heliograph-bridge', () => import('./serve-bridge.ts'))
