/** The relay as a command. The server is loaded only to serve, since its native code needs a fitting Node. */
import type { Program } from '@heliograph/shared/server/service/program'
import { relayRows } from './config.ts'
import { numberOf } from './mailbox/message-log.ts'
import { relay } from './service.ts'
import { relayTransfer } from './transfer/relay-transfer.ts'

export const relayProgram: Program<typeof relayRows> = {
  name: 'heliograph-relay',
  service: relay,
  rows: relayRows,
  numberOf,
  transfer: relayTransfer,
  start: async config => (await import('./server.ts')).startRelay(config),
}
