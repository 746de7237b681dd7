/** Entry point of the package heliograph-relay. The server is a script of its own, which older versions of Node cannot load. */
import { startWith } from './start.ts'

startWith('heliograph-relay', () => import('./serve-relay.ts'))
