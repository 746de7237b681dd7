/** Entry point of the package heliograph-bridge. The server is a script of its own, which older versions of Node cannot load. */
import { startWith } from './start.ts'

startWith('heliograph-bridge', () => import('./serve-bridge.ts'))
