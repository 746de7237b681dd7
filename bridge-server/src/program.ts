/**
 * The bridge's command line. Loads the server only when it is to run, because its native code needs a supported version
 * of Node.
 */
import type { Program } from '@heliograph/shared/server/service/program'
import { bridge, bridgeRows } from './config.ts'
import { bridgeTransfer } from './transfer/bridge-transfer.ts'

export const bridgeProgram: Program<typeof bridgeRows> = {
  name: 'heliograph-bridge',
  service: bridge,
  rows: bridgeRows,
  transfer: bridgeTransfer,
  start: async config => (await import('./server.ts')).startBridge(config),
}
