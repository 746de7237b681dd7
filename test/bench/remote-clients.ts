/** Clients whose requests are measured, in the order of the table in docs/sessions.md. */
import type { Dapp } from '../compat/client-interfaces.ts'
import type { KindOf } from '../compat/pair.ts'

export const REMOTE_CLIENTS = [
  'sign-client 2.25',
  'sign-client 2.17',
  'universal-provider 2.25',
  'ethereum-provider 2.25',
] as const satisfies KindOf<Dapp>[]
