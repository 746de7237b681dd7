/**
 * The relay's command line. Loads the server only when it is to run, because its native code needs a supported version
 * of Node.
 */
import type { Program } from '@heliograph/shared/server/service/program'
import { relay, relayRows } from './config.ts'
import { numberOf } from './mailbox/message-log.ts'
import { relayTransfer } from './transfer/relay-transfer.ts'

export const relayProgram: Program<typeof relayRows> = {
  name: 'heliograph-relay',
  service: relay,
  rows: relayRows,
  numberOf,
  transfer: relayTransfer,
  start: async config => (await import('./server.ts')).startRelay(config),
}
