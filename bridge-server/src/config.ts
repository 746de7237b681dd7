/** The bridge's settings. */
import type { Config } from '@heliograph/shared/server/config'
import { commonRows } from '@heliograph/shared/server/rows'

export const bridgeRows = commonRows({ port: 8081, dataDir: '.data/bridge' })

export type BridgeConfig = Config<typeof bridgeRows>
