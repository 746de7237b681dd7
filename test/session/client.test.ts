/** The headless wallet with the client that most dApps use. `other-clients.test.ts` has the others. */
import { describeClient } from './client-steps.ts'

describeClient('sign-client 2.21')
