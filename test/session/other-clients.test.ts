/** The headless wallet with the other published clients of dApps. */
import { describeClient } from './client-steps.ts'

describeClient('sign-client 2.17')
describeClient('universal-provider 2.21')
describeClient('ethereum-provider 2.21')
