/** The relay, run like an operator's, between published clients of others. */
import { describePair } from './pair.ts'

describePair('sign-client 2.25', 'sign-client 2.25')
describePair('universal-provider 2.25', 'walletkit 1.6')
describePair('ethereum-provider 2.25', 'walletkit 1.6')
describePair('sign-client 2.17', 'sign-client 2.17')
describePair('sign-client 2.25', 'sign-client 2.17')
describePair('sign-client 2.17', 'sign-client 2.25')
describePair('client 2.0.0-beta.52', 'client 2.0.0-beta.52', 'waku')
