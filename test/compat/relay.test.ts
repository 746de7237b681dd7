/** The relay, run like an operator's, between published clients of others. */
import { describePair } from './pair.ts'

describePair('sign-client 2.21', 'sign-client 2.21')
describePair('universal-provider 2.21', 'walletkit 1.2')
describePair('ethereum-provider 2.21', 'walletkit 1.2')
describePair('sign-client 2.17', 'sign-client 2.17')
describePair('sign-client 2.21', 'sign-client 2.17')
describePair('sign-client 2.17', 'sign-client 2.21')
describePair('client 2.0.0-beta.52', 'client 2.0.0-beta.52', 'waku')
