/** Clients whose requests are measured, in the order of the table in docs/sessions.md. */
import type { Dapp } from '../compat/client-interfaces.ts'
import type { KindOf } from '../compat/pair.ts'

export const REMOTE_CLIENTS = [
  'sign-client 2.21',
  'sign-client 2.17',
  'universal-provider 2.21',
  'ethereum-provider 2.21',
] as const satisfies KindOf<Dapp>[]
