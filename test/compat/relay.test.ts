/**
 * The relay, run as an operator runs it, with the client that most apps use on both sides. Runs on each kind of store.
 * `relay-pairs.test.ts` has the other clients, which use the same stores.
 */
import { describePair } from './pair.ts'

describePair('sign-client 2.21', 'sign-client 2.21')
