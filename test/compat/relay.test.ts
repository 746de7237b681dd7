/**
 * The relay, run like an operator's, between the client that most apps use and itself. Runs on each kind of store.
 * `relay-pairs.test.ts` has the other clients, which meet the same store.
 */
import { describePair } from './pair.ts'

describePair('sign-client 2.21', 'sign-client 2.21')
