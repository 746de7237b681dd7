/**
 * The relay, run as an operator runs it, between other published clients: wrappers, older versions and mixed pairs.
 * `ethereum-provider`, which wraps `universal-provider`, is tested in test/session/other-clients.test.ts.
 */
import { describePair } from './pair.ts'

describePair('universal-provider 2.21', 'walletkit 1.2')
describePair('sign-client 2.21', 'sign-client 2.17')
describePair('sign-client 2.17', 'sign-client 2.21')
describePair('client 2.0.0-beta.52', 'client 2.0.0-beta.52', 'waku')
